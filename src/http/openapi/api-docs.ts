/**
 * The description of the API for programs and for people, from this origin alone: the viewer's
 * files come with the package. Public, and counted by no limit: they are answered from memory.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import express, { type RequestHandler, type Response, type Router } from "express";
import { problem } from "../../contracts/problems.ts";
import { secureWith, securityHeaders } from "../security-headers.ts";
import { describeApi, describeEventsApi, type DescribedApi, type Document } from "./document.ts";
import { initScript, viewerFolder, viewerPage, viewerStyles } from "./viewer.ts";

type Text = { type: string; text: string };

/** With an ETag, so that asking again costs a 304. */
const sendText = (response: Response, { type, text }: Text, maxAgeSeconds: number): void => {
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  response.set({
    "Cache-Control": maxAgeSeconds === 0 ? "no-cache" : `public, max-age=${maxAgeSeconds}`,
    ETag: etag,
  });
  response.type(type).send(text);
};

const describeOnce = (describe: () => Document): (() => Text) => {
  let text: string | undefined;
  return () => ({ type: "application/json", text: (text ??= JSON.stringify(describe())) });
};

/** The viewer asks for its own files and the document, and shows the small pictures in its style. */
const viewerHeaders = (): RequestHandler =>
  secureWith({
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", "data:"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  });

const viewerFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

const refuseOthers: RequestHandler = (request, _response, next) => {
  if (request.method !== "GET" && request.method !== "HEAD") {
    next(
      problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
        headers: { Allow: "GET, HEAD" },
      }),
    );
    return;
  }
  next();
};

const createViewer = (): Router => {
  const router = express.Router();
  router.use(refuseOthers, viewerHeaders());
  router.get("/", (_request, response) =>
    sendText(response, { type: "html", text: viewerPage }, 0),
  );
  router.get("/init.js", (_request, response) =>
    sendText(response, { type: "text/javascript", text: initScript }, 0),
  );
  router.get("/page.css", (_request, response) =>
    sendText(response, { type: "text/css", text: viewerStyles }, 0),
  );
  for (const name of viewerFiles) {
    router.get(`/${name}`, (_request, response) => {
      // The page asks for them by the version of the package, so they never change.
      response.sendFile(join(viewerFolder, name), { maxAge: "365d", immutable: true });
    });
  }
  return router;
};

/** `/openapi.json`, `/v3/openapi.json` and `/docs`, to be mounted at `/api`. */
export const createApiDocs = (api: DescribedApi): Router => {
  const router = express.Router();
  const documents: [string, () => Text][] = [
    ["/openapi.json", describeOnce(() => describeApi(api))],
    ["/v3/openapi.json", describeOnce(() => describeEventsApi(api))],
  ];
  for (const [path, document] of documents) {
    router.all(path, refuseOthers, securityHeaders(), (_request, response) =>
      sendText(response, document(), 300),
    );
  }
  router.use("/docs", createViewer());
  return router;
};
