import type { Request, Response } from "express";
import express from "express";
import { problem } from "../contracts/problems.ts";
import { bodyCutShort } from "./problems.ts";
import { allowSlowBody } from "./http-server.ts";
import { decodeParams, mediaTypeOf, parseBody, parseForm, type Fields } from "./input.ts";
import { createFormReader } from "./multipart.ts";
import type { AnyRoute, Upload } from "./route.ts";
import type { RawInput } from "./validate.ts";

const defaultMaxBytes = 256 * 1024;

type IncomingRequest = {
  request: Request;
  response: Response;
  /** What must be done once the answer is out, whatever it is. */
  cleanups: (() => Promise<void>)[];
};

type BodyRules = Pick<AnyRoute, "method" | "transport" | "accepts" | "maxBodyBytes">;

/** What a client sent besides fields. */
export type Payload = { bytes?: Buffer; upload?: Upload };

type ParsedBody = { fields: Fields | undefined; payload: Payload };

const noBody: ParsedBody = { fields: undefined, payload: {} };

/** Everything a client can send into an operation: path, body, query. */
export async function readInput(
  exchange: IncomingRequest,
  route: BodyRules,
  rawParams: Readonly<Record<string, string>>,
): Promise<{ raw: RawInput; payload: Payload }> {
  const params = decodeParams(rawParams);
  const { fields, payload } = await readBody(exchange, route);
  const query = parseForm(queryOf(exchange.request.url), "query");
  return { raw: { params, query, body: fields }, payload };
}

async function readBody(exchange: IncomingRequest, route: BodyRules): Promise<ParsedBody> {
  const { transport = "json" } = route;
  if (route.method === "GET") {
    return noBody;
  }
  switch (transport) {
    case "multipart":
      return readForm(exchange, route);
    case "bytes":
      return readBytes(exchange, route);
    default:
      return readFields(exchange, transport);
  }
}

async function readForm(
  { request, cleanups }: IncomingRequest,
  route: BodyRules,
): Promise<ParsedBody> {
  const reader = createFormReader(request, route.maxBodyBytes ?? defaultMaxBytes);
  cleanups.push(() => reader.remove());
  const { fields, upload } = await reader.read();
  return { fields, payload: { upload } };
}

async function readBytes(exchange: IncomingRequest, route: BodyRules): Promise<ParsedBody> {
  const { request } = exchange;
  const { accepts = [], maxBodyBytes = defaultMaxBytes } = route;
  if (!hasBody(request)) {
    return { fields: undefined, payload: { bytes: Buffer.alloc(0) } };
  }
  if (!accepts.includes(mediaTypeOf(request.get("content-type")))) {
    throw problem("unsupported_media_type", `The body must be ${accepts.join(" or ")}.`);
  }
  if (takesFiles(route)) {
    allowSlowBody(request);
  }
  return { fields: undefined, payload: { bytes: await readRaw(exchange, maxBodyBytes) } };
}

/** Only what may be large may take long: other bodies are cut after half a minute. */
export function takesFiles({ maxBodyBytes = 0 }: Pick<BodyRules, "maxBodyBytes">): boolean {
  return maxBodyBytes > defaultMaxBytes;
}

/** The body as fields; undefined where there is none, also where a type announces an empty one. */
async function readFields(
  exchange: IncomingRequest,
  transport: "json" | "any",
): Promise<ParsedBody> {
  const { request } = exchange;
  if (!hasBody(request)) {
    return noBody;
  }
  const bytes = await readRaw(exchange, defaultMaxBytes);
  return bytes.length === 0
    ? noBody
    : { fields: parseBody(bytes, request.get("content-type"), transport), payload: {} };
}

function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Bytes as they are: Express' own decoders replace what is wrong instead of refusing it. */
async function readRaw({ request, response }: IncomingRequest, limit: number): Promise<Buffer> {
  const reader = express.raw({ limit, type: () => true, inflate: false });
  await new Promise<void>((resolve, reject) => {
    reader(request, response, (error?: Error) => (error ? reject(error) : resolve()));
  });
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) {
    // The reader passes over a request whose client is gone already.
    throw bodyCutShort();
  }
  return body;
}

/** What stands behind the question mark. */
export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}
