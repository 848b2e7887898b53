import express, { type Request, type Response } from "express";
import { decodeParams, parseBody, parseForm, type Fields } from "./input.ts";
import type { Route } from "./route.ts";
import type { RawInput } from "./validate.ts";

const maxBodyBytes = 256 * 1024;

/** Bytes as they are: this reader's own decoders replace what is wrong instead of refusing it. */
const readRaw = express.raw({ limit: maxBodyBytes, type: () => true, inflate: false });

type Exchange = { request: Request; response: Response };
type Reading = Pick<Route, "method" | "transport">;

const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** The body as fields; undefined where there is none, also where a type announces an empty one. */
const readBody = async (
  { request, response }: Exchange,
  route: Reading,
): Promise<Fields | undefined> => {
  if (route.method === "GET" || !hasBody(request)) {
    return undefined;
  }
  await new Promise<void>((resolve, reject) => {
    readRaw(request, response, (error?: Error) => (error ? reject(error) : resolve()));
  });
  const bytes = request.body as Uint8Array;
  return bytes.length === 0
    ? undefined
    : parseBody(bytes, request.get("content-type"), route.transport ?? "json");
};

/** What stands behind the question mark. */
export const queryOf = (url: string): string => {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
};

/** Everything a client can send into an operation: path, body, query. */
export const readInput = async (
  exchange: Exchange,
  route: Reading,
  rawParams: Readonly<Record<string, string>>,
): Promise<RawInput> => {
  const params = decodeParams(rawParams);
  const body = await readBody(exchange, route);
  return { params, query: parseForm(queryOf(exchange.request.url), "query"), body };
};
