/** The OpenAPI documents, generated from the served operations, and the routes that serve them. */
import type { AnyRoute } from "../route.ts";
import { describeOperation, tagOf, type Responses } from "./operation.ts";
import { problemSchema } from "./refusals.ts";
import {
  createCollector,
  type DescribedWebhook,
  describeWebhooks,
  toOpenApi30,
  webhookHeaders,
} from "./components.ts";
import { createHash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { problem } from "../../contracts/problems.ts";
import { securityHeaders } from "../http-server.ts";

export type DescribedApi = Readonly<{
  routes: readonly AnyRoute[];
  /** Public address, without a trailing slash. */
  baseUrl: string;
  /** The requests that receivers get. */
  webhooks?: readonly DescribedWebhook[];
}>;

export type Document = Record<string, unknown>;

const headers = {
  "X-Request-Id": textHeader("The ID of the request, for support", "6b1c1f0e-…"),
  "X-RateLimit-Limit": integerHeader("Calls allowed in the current period", 600),
  "X-RateLimit-Remaining": integerHeader("Calls left in the current period", 599),
  "X-RateLimit-Reset": integerHeader("Seconds until the current period ends", 60),
  "Retry-After": integerHeader("Seconds to wait before the next request", 12),
  "X-Total-Count": integerHeader("Number of items in the whole list", 84),
  Link: textHeader(
    "The first, previous, next and last page (RFC 8288)",
    '</api/tickets?limit=10&offset=10>; rel="next"',
  ),
  Location: textHeader("Path of the created object", "/api/tickets/12"),
  "Idempotent-Replayed": textHeader(
    "`true`: the stored response to an earlier, identical request",
    "true",
  ),
  "WWW-Authenticate": textHeader("How to sign in", 'Bearer realm="api"'),
} as const;

const securitySchemes = {
  access_token: {
    type: "http",
    scheme: "bearer",
    description: "The access token of a user, from `POST /api/token`",
  },
  room_token: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The room token that a link was exchanged for",
  },
} as const;

type BodyEncoding = "br" | "gzip" | "plain";

/** A document in every content encoding; each is encoded on first use. */
type CachedDocument = Readonly<{ etag: string; bytes: (form: BodyEncoding) => Buffer }>;

function rejectOtherMethods(request: Request, _response: Response, next: NextFunction): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    next(
      problem("method_not_allowed", `The path has no operation for ${request.method}.`, {
        headers: { Allow: "GET, HEAD" },
      }),
    );
    return;
  }
  next();
}

/**
 * `/openapi.json` and `/v3/openapi.json`, mounted at `/api`. Public and without a rate limit: the
 * documents are served from memory. The page `/api/docs` shows them to people.
 */
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

/** The highest, 11, would block a process for a second, and saves 7 % of the bytes. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const pack: Readonly<Record<BodyEncoding, (text: Buffer) => Buffer>> = {
  br: (text) => brotliCompressSync(text, brotliQuality),
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

const apiDescription =
  `Every path is also served under \`/api/v2\` and \`/api/v3\`, and with its nouns
in the singular: \`/api/ticket/12/event\` is \`/api/tickets/12/events\`. \`/api/authentication\` is
an older name of \`/api/token\`. Errors are \`application/problem+json\` (RFC 9457) with a stable
\`code\`. Lists take \`limit\` and \`offset\`.`.replaceAll("\n", " ");

const parameters = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes it safe to repeat a request: within 24 hours, the same key returns the response to the first request.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
} as const;

/** OpenAPI 3.1.0: the whole API. */
export function describeApi({ routes, baseUrl, webhooks = [] }: DescribedApi): Document {
  const collector = createCollector();
  collector.lift(problemSchema);
  const responses: Responses = {};
  const paths = [...byPath(routes)].map(([path, operations]) => [
    `/api${path}`,
    Object.fromEntries(
      operations.map((route) => [
        route.method.toLowerCase(),
        describeOperation(route, { collector, responses }),
      ]),
    ),
  ]);
  return {
    openapi: "3.1.0",
    info: { title: "Sightline", version: "3.0", description: apiDescription },
    servers: [{ url: baseUrl }],
    tags: [...new Set(routes.map(tagOf))].toSorted().map((name) => ({ name })),
    paths: Object.fromEntries(paths) as unknown,
    ...(webhooks.length === 0 ? {} : { webhooks: describeWebhooks(webhooks, collector) }),
    components: {
      securitySchemes,
      headers,
      parameters: { ...parameters, ...(webhooks.length === 0 ? {} : webhookHeaders) },
      responses: sorted(responses),
      schemas: collector.collected(),
    },
  };
}

function byPath(routes: readonly AnyRoute[]): Map<string, AnyRoute[]> {
  const paths = new Map<string, AnyRoute[]>();
  for (const route of routes) {
    paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  }
  return paths;
}

const eventsPath = "/tickets/{ticketId}/events";

const eventsStatuses: ReadonlySet<string> = new Set(["200", "400", "401", "403", "404", "429"]);

type DescribedOperation = { responses: Record<string, { $ref?: string }> };

/** OpenAPI 3.0.0: only the timeline of tickets, for generated clients. */
export function describeEventsApi({ routes, baseUrl }: DescribedApi): Document {
  const collector = createCollector();
  collector.lift(problemSchema);
  const responses: Responses = {};
  const served = routes.filter(({ path, method }) => path === eventsPath && method === "GET");
  const paths = served.map((route) => {
    const operation = describeOperation(route, {
      collector,
      responses,
    }) as unknown as DescribedOperation;
    const kept = Object.entries(operation.responses).filter(([code]) => eventsStatuses.has(code));
    return [
      `/api/v3${eventsPath}`,
      { get: { ...operation, tags: ["tickets"], responses: Object.fromEntries(kept) } },
    ];
  });
  const isKept = ([name]: [string, unknown]): boolean =>
    eventsStatuses.has(/^Problem(\d{3})/u.exec(name)?.[1] ?? "");
  const refusals = Object.fromEntries(Object.entries(sorted(responses)).filter(isKept));
  const text = JSON.stringify([paths, refusals]);
  const isUsed = ([name]: [string, unknown]): boolean => text.includes(`/headers/${name}"`);
  return toOpenApi30({
    openapi: "3.0.0",
    info: { title: "Ticket events", version: "3.0" },
    servers: [{ url: baseUrl }],
    tags: [{ name: "tickets" }],
    paths: Object.fromEntries(paths) as unknown,
    components: {
      securitySchemes: { access_token: securitySchemes.access_token },
      headers: Object.fromEntries(Object.entries(headers).filter(isUsed)),
      responses: refusals,
      schemas: collector.collected(),
    },
  }) as Document;
}

function sorted(input: Responses): Responses {
  return Object.fromEntries(Object.entries(input).toSorted(([a], [b]) => a.localeCompare(b, "en")));
}

/** With an ETag, so that a repeated request gets a 304. */
function sendDescription(request: Request, response: Response, described: CachedDocument): void {
  const form = formFor(request);
  response.vary("Accept-Encoding").set({
    "Cache-Control": "public, max-age=300",
    // A strong ETag identifies bytes, which differ by encoding.
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

function integerHeader(description: string, example: number) {
  return {
    description,
    schema: { type: "integer", minimum: 0 },
    example,
  };
}

function textHeader(description: string, example: string) {
  return {
    description,
    schema: { type: "string" },
    example,
  };
}
