import express from "express";
import { problem } from "../contracts/problems.ts";
import { truncatedBody } from "./answer.ts";
import { allowSlowBody, hasBody } from "./http-server.ts";
import { decodeParams, mediaTypeOf, parseBody, parseForm, type Fields } from "./input.ts";
import { createFormReader } from "./multipart.ts";
import type { RequestContext } from "./request-context.ts";
import { defaultMaxBytes, takesFiles, type AnyRoute, type Upload } from "./route.ts";
import type { RawInput } from "./validate.ts";

type IncomingRequest = Pick<RequestContext, "request" | "response" | "cleanups">;

type BodyRules = Pick<AnyRoute, "method" | "transport" | "accepts" | "maxBodyBytes">;

/** The part of a request that is not parsed to fields. */
export type Payload = { bytes?: Buffer; upload?: Upload };

type ParsedBody = { fields: Fields | undefined; payload: Payload };

const noBody: ParsedBody = { fields: undefined, payload: {} };

/** The input of an operation: path, body, query. */
export async function readInput(
  context: IncomingRequest,
  route: BodyRules,
  rawParams: Readonly<Record<string, string>>,
): Promise<{ raw: RawInput; payload: Payload }> {
  const params = decodeParams(rawParams);
  const { fields, payload } = await readBody(context, route);
  const query = parseForm(queryOf(context.request.url), "query");
  return { raw: { params, query, body: fields }, payload };
}

async function readBody(context: IncomingRequest, route: BodyRules): Promise<ParsedBody> {
  const { transport = "json" } = route;
  if (route.method === "GET") {
    return noBody;
  }
  switch (transport) {
    case "multipart":
      return readForm(context, route);
    case "bytes":
      return readBytes(context, route);
    default:
      return readFields(context, transport);
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

async function readBytes(context: IncomingRequest, route: BodyRules): Promise<ParsedBody> {
  const { request } = context;
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
  return { fields: undefined, payload: { bytes: await readRaw(context, maxBodyBytes) } };
}

/** The body as fields; undefined for an empty body, even if it has a content type. */
async function readFields(
  context: IncomingRequest,
  transport: "json" | "any",
): Promise<ParsedBody> {
  const { request } = context;
  if (!hasBody(request)) {
    return noBody;
  }
  const bytes = await readRaw(context, defaultMaxBytes);
  return bytes.length === 0
    ? noBody
    : { fields: parseBody(bytes, request.get("content-type"), transport), payload: {} };
}

/** Reads raw bytes: the decoders of Express replace invalid sequences instead of rejecting them. */
async function readRaw({ request, response }: IncomingRequest, limit: number): Promise<Buffer> {
  const reader = rawReader(limit);
  await new Promise<void>((resolve, reject) => {
    reader(request, response, (error?: Error) => (error ? reject(error) : resolve()));
  });
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) {
    // The body parser skips requests whose client has disconnected.
    throw truncatedBody();
  }
  return body;
}

type RawReader = ReturnType<typeof express.raw>;

/** By their limit. There are few: each is that of some routes. */
const rawReaders = new Map<number, RawReader>();

function rawReader(limit: number): RawReader {
  const reader = rawReaders.get(limit) ?? express.raw({ limit, type: () => true, inflate: false });
  rawReaders.set(limit, reader);
  return reader;
}

export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}
