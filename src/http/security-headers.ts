import type { RequestHandler, Response } from "express";
import helmet from "helmet";

/** For answers that load nothing: no resources, frames or sniffing. */
export function securityHeaders(): RequestHandler {
  return secureWith({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });
}

/** Never framed or sniffed; what a page may load stands in these directives of its policy. */
function secureWith(directives: Record<string, string[]>): RequestHandler {
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    strictTransportSecurity: false, // helmet asks for it by http, too
  });
  return (request, response, next) => {
    setHsts(response);
    secure(request, response, next);
  };
}

const hstsPolicy = "max-age=31536000; includeSubDomains";

/** HSTS for a year including subdomains, on https requests only. */
export function setHsts(response: Response): void {
  if (response.req.secure) {
    response.set("Strict-Transport-Security", hstsPolicy);
  }
}
