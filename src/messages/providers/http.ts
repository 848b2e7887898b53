/**
 * Any SMS gateway that accepts a JSON POST `{id, to, from, text}` with a bearer token. The
 * message's uid is sent as `id` and as `Idempotency-Key`; a gateway that honours either sends a
 * message once. It answers 2xx, optionally with its own id as `id`, `providerId` or `messageId`.
 *
 * Its callbacks carry `X-Signature`, the HMAC-SHA256 of the raw body in hex: `{id or providerId,
 * status, error?}` about a message, `{from, text}` for an incoming one.
 */
import { invalidParameter, missingParameter } from "../../contracts/problems.ts";
import type { Message } from "../model.ts";
import type { MessageStatus } from "../../contracts/invitations.ts";
import {
  isTemporary,
  parseJsonObject,
  post,
  type GatewayAnswer,
  hasValidSignature,
  invalidSignature,
  accepted,
  refused,
  type CallbackRequest,
  type Callbacks,
  type MessageProvider,
  type ProviderResult,
} from "./provider.ts";

export type HttpGateway = Readonly<{
  url: string;
  token: string | undefined;
  /** Absent: no callbacks. */
  secret: string | undefined;
  timeoutMs?: number;
}>;

export function createHttpProvider(gateway: HttpGateway): MessageProvider {
  const { url, token, secret, timeoutMs } = gateway;
  return {
    name: "http",
    send: async (message, signal) => {
      const { uid, recipient, sender, text } = message;
      const headers = {
        "content-type": "application/json",
        accept: "application/json",
        "idempotency-key": uid,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const from = sender === "" ? {} : { from: sender };
      const body = JSON.stringify({ id: uid, to: recipient, ...from, text });
      return toResult(await post({ url, headers, body, timeoutMs }, signal), message);
    },
    ...(secret === undefined ? {} : { callbacks: callbacksOf(secret) }),
  };
}

function toResult(answer: GatewayAnswer, { uid }: Message): ProviderResult {
  if (answer.kind === "silence") {
    return refused(answer.error, false);
  }
  const { status, text } = answer;
  if (status >= 200 && status <= 299) {
    const { id, providerId, messageId } = parseJsonObject(text);
    return accepted(textOf(id) ?? textOf(providerId) ?? textOf(messageId) ?? uid);
  }
  return refused(`http_${status}`, !isTemporary(status));
}

const reported = ["sent", "delivered", "undelivered", "failed"] as const satisfies MessageStatus[];

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

function callbacksOf(secret: string): Callbacks {
  const read = ({ body, header }: CallbackRequest): Record<string, unknown> => {
    const signature = header("x-signature")?.replace(/^sha256=/u, "");
    const signed = { algorithm: "sha256", encoding: "hex", secret, parts: [body] } as const;
    if (!hasValidSignature(signature, signed)) {
      throw invalidSignature();
    }
    return parseJsonObject(body.toString("utf8"));
  };
  return {
    parseStatus: (request) => {
      const { id, providerId, status: word, error } = read(request);
      const status = reported.find((known) => known === word);
      if (status === undefined) {
        throw invalidParameter(
          "status",
          "enum",
          `The status field is invalid: it must be one of ${reported.join(", ")}.`,
        );
      }
      const input = textOf(id);
      const uid = input !== undefined && uuid.test(input) ? input : undefined;
      const theirs = textOf(providerId) ?? input;
      if (theirs === undefined) {
        throw missingParameter("id");
      }
      return { uid, providerId: theirs, status, error: textOf(error) ?? null };
    },
    parseIncoming: (request) => {
      const { from, text } = read(request);
      if (typeof from !== "string" || typeof text !== "string") {
        throw missingParameter(typeof from === "string" ? "text" : "from");
      }
      return { from, text };
    },
  };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" && text.length <= 255 ? text : undefined;
}
