/**
 * The description of the API for programs. Public, and counted by no limit: it is answered from
 * memory, packed once. For people it is shown by a page at `/api/docs`.
 */
import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { problem } from "../../contracts/problems.ts";
import { securityHeaders } from "../http-server.ts";
import { describeApi, describeEventsApi, type DescribedApi, type Document } from "./document.ts";

type BodyEncoding = "br" | "gzip" | "plain";

/** One description in the forms that clients take, each encoded when the first asks for it. */
type CachedDocument = Readonly<{ etag: string; bytes: (form: BodyEncoding) => Buffer }>;

const rejectOtherMethods: RequestHandler = (request, _response, next) => {
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

/** `/openapi.json` and `/v3/openapi.json`, to be mounted at `/api`. */
export function createApiDocs(api: DescribedApi): Router {
  const router = express.Router({ caseSensitive: true });
  const documents: [string, () => CachedDocument][] = [
    ["/openapi.json", describeOnce(() => describeApi(api))],
    ["/v3/openapi.json", describeOnce(() => describeEventsApi(api))],
  ];
  for (const [path, document] of documents) {
    router.all(path, rejectOtherMethods, securityHeaders(), (request, response) =>
      sendDescription(request, response, document()),
    );
  }
  return router;
}

function describeOnce(describe: () => Document): () => CachedDocument {
  let described: CachedDocument | undefined;
  return () => (described ??= prepare(describe()));
}

const pack: Readonly<Record<BodyEncoding, (text: Buffer) => Buffer>> = {
  br: (text) => brotliCompressSync(text),
  gzip: (text) => gzipSync(text),
  plain: (text) => text,
};

function prepare(document: Document): CachedDocument {
  const text = Buffer.from(JSON.stringify(document));
  const forms = new Map<BodyEncoding, Buffer>();
  return {
    etag: createHash("sha256").update(text).digest("base64url").slice(0, 27),
    bytes: (form) => {
      const encoded = forms.get(form) ?? pack[form](text);
      forms.set(form, encoded);
      return encoded;
    },
  };
}

/** With an ETag, so that asking again costs a 304. */
function sendDescription(request: Request, response: Response, described: CachedDocument): void {
  const form = formFor(request);
  response.vary("Accept-Encoding").set({
    "Cache-Control": "public, max-age=300",
    // The bytes differ from form to form, and a strong ETag is of bytes.
    ETag: `"${described.etag}-${form}"`,
    ...(form === "plain" ? {} : { "Content-Encoding": form }),
  });
  response.type("application/json").send(described.bytes(form));
}

function formFor(request: Request): BodyEncoding {
  return (
    (["br", "gzip"] as const).find((form) => request.acceptsEncodings(form) === form) ?? "plain"
  );
}
