import type { Message } from "../model.ts";
import type { MessageStatus } from "../../contracts/invitations.ts";
import { got } from "got";
import { toError } from "../../platform/errors.ts";
import { createHmac, timingSafeEqual } from "node:crypto";
import { problem, type Problem } from "../../contracts/problems.ts";

/** The result of a send. Rejections are values; `isFinal` if every retry would be rejected too. */
export type ProviderResult =
  | Readonly<{ kind: "accepted"; providerId: string; status: "sent" }>
  | Readonly<{ kind: "refused"; error: string; isFinal: boolean }>;

/** The concurrency limit was reached; retry later. */
export type ProviderBusy = Readonly<{ kind: "busy" }>;

/** An HTTP request from the provider, unparsed. */
export type CallbackRequest = Readonly<{
  /** The full public URL, including the query: some providers sign it. */
  url: string;
  query: Readonly<Record<string, string | undefined>>;
  body: Buffer;
  header: (name: string) => string | undefined;
}>;

/** The status of a message, identified by our `uid` or the provider's id. */
export type StatusReport = Readonly<{
  uid: string | undefined;
  providerId: string | undefined;
  status: MessageStatus;
  error: string | null;
}>;

/** An SMS from a customer. */
export type IncomingSms = Readonly<{ from: string; text: string }>;

/**
 * Parsers of the provider's callbacks. Both throw a problem if the signature or the form is
 * invalid.
 */
export type Callbacks = Readonly<{
  parseStatus(request: CallbackRequest): StatusReport;
  parseIncoming(request: CallbackRequest): IncomingSms;
}>;

export type MessageProvider = Readonly<{
  name: "smtp" | "http" | "twilio" | "dev";
  /** Sends the message. Provider failures are results, never rejections. */
  send(message: Message, signal: AbortSignal): Promise<ProviderResult | ProviderBusy>;
  /** Absent if the provider has no callbacks. */
  callbacks?: Callbacks;
  /** Closes connections. */
  close?: () => void;
}>;

export type GatewayRequest = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs?: number | undefined;
}>;

export type GatewayAnswer =
  | Readonly<{ kind: "answer"; status: number; text: string }>
  /** No response in time: the request may or may not have arrived. */
  | Readonly<{ kind: "silence"; error: "timeout" | "unreachable" }>;

export type HmacInput = Readonly<{
  algorithm: "sha1" | "sha256";
  encoding: "hex" | "base64";
  secret: string;
  /** The signed parts, in this order. */
  parts: readonly (string | Buffer)[];
}>;

export function accepted(providerId: string): ProviderResult {
  return {
    kind: "accepted",
    providerId,
    status: "sent",
  };
}

export function refused(error: string, isFinal: boolean): ProviderResult {
  return {
    kind: "refused",
    error,
    isFinal,
  };
}

const defaultTimeoutMs = 10_000;

/**
 * Sends one POST. Redirects are not followed, because they would carry credentials to another host.
 * No retries: only the caller knows the idempotency key. Rejects only if `signal` is aborted.
 */
export async function post(
  { url, headers, body, timeoutMs = defaultTimeoutMs }: GatewayRequest,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  let status: number | undefined;
  try {
    const stream = got.stream.post(url, {
      headers,
      body,
      timeout: { request: timeoutMs },
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
      decompress: false,
      signal,
    });
    stream.once("response", (response: { statusCode: number }) => {
      status = response.statusCode;
    });
    const text = await readBounded(stream as AsyncIterable<Buffer>);
    return { kind: "answer", status: status ?? 0, text };
  } catch (thrown) {
    if (status !== undefined) {
      return { kind: "answer", status, text: "" }; // the status is known; only the body is lost
    }
    signal.throwIfAborted();
    const isLate = toError(thrown).name === "TimeoutError";
    return { kind: "silence", error: isLate ? "timeout" : "unreachable" };
  }
}

const maxAnswerBytes = 64 * 1024;

async function readBounded(chunks: AsyncIterable<Buffer>): Promise<string> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      break; // ends the stream; the status is known, and a longer body is not needed
    }
  }
  return Buffer.concat(read).subarray(0, maxAnswerBytes).toString("utf8");
}

/** The JSON object of a response; empty if the text is none. */
export function parseJsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Whether a retry may succeed: 409 means that the first attempt is still in progress, 401 that our
 * credentials are wrong, which an operator can fix.
 */
export function isTemporary(status: number): boolean {
  return status >= 500 || [0, 401, 408, 409, 425, 429].includes(status);
}

/** Whether `signature` is the HMAC of the parts. Constant-time comparison. */
export function hasValidSignature(signature: string | undefined, signed: HmacInput): boolean {
  const hmac = createHmac(signed.algorithm, signed.secret);
  for (const part of signed.parts) {
    hmac.update(part);
  }
  const wanted = hmac.digest();
  const input = Buffer.from(signature ?? "", signed.encoding);
  return input.length === wanted.length && timingSafeEqual(input, wanted);
}

export function invalidSignature(): Problem {
  return problem("forbidden", "The signature of the request is missing or wrong.", {
    details: "Signature",
  });
}
