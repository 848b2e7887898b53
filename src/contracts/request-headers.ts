/** Which headers a request to a receiver has of its own, and which a subscriber may not set. */
import { signaturePresets } from "./signature-presets.ts";

/** What stands for a value that is stored and never shown. No header value can be equal to it. */
export const maskedValue = "••••";

/**
 * Names that belong to the request itself, to its connection or signature, and those that a proxy,
 * gateway or framework at the receiver takes as said by a proxy: forged, they change who seems to
 * call, where the request goes or how it is read.
 */
const reservedNames = new Set([
  // The request, its connection (RFC 9110, 7.6.1) and how its body is read.
  ...["host", "user-agent", "cookie", "expect", "accept-encoding"],
  ...["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"],
  ...["http2-settings", "via", "forwarded", "max-forwards", "cdn-loop", "early-data"],
  // What replaces the method or the path.
  ...["x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url"],
  // What names the client.
  ...["x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip"],
  "--proto--", // __proto__, normalised
]);

/** `x-forwarded` is one itself. */
const reservedPrefixes = ["content-", "webhook-", "proxy-", "x-forwarded", "x-original-"];

/** Whether a subscriber may not set a header of this name. */
export function isReservedHeader(name: string): boolean {
  const normalised = normalise(name);
  return (
    reservedNames.has(normalised) ||
    reservedPrefixes.some((prefix) => normalised.startsWith(prefix))
  );
}

/** Gateways hand `_` over as `-`: CGI, WSGI and PHP see one name in both. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

const presetNames = new Set(Object.values(signaturePresets).map(({ header }) => normalise(header)));

const unmaskedNames = new Set(["host", "user-agent", "accept", "accept-encoding", "connection"]);

/** Whether a header is one that we make, so that its value is nobody's secret. */
export function isGeneratedHeader(name: string): boolean {
  const lowerName = name.toLowerCase();
  return (
    unmaskedNames.has(lowerName) ||
    presetNames.has(lowerName) ||
    /^(?:content|webhook)-./u.test(lowerName)
  );
}

/** Headers of a request that was sent, as they are shown: the subscriber's own are masked. */
export function maskRequestHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isGeneratedHeader(name) ? value : maskedValue,
    ]),
  );
}

/** Headers of a receiver's answer, as they are shown. */
export function maskResponseHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === "set-cookie" ? maskedValue : value,
    ]),
  );
}
