/** SMS through a gateway of the operator, or through Twilio. */
import type { MessageStatus } from "../../contracts/invitations.ts";
import { invalidParameter, missingParameter } from "../../contracts/problems.ts";
import { isUuid } from "../../platform/ids.ts";
import { type Message, optedOut } from "../model.ts";
import {
  accepted,
  type CallbackRequest,
  type Callbacks,
  type GatewayAnswer,
  hasValidSignature,
  invalidSignature,
  isTemporary,
  type MessageProvider,
  parseJsonObject,
  post,
  type ProviderResult,
  refused,
} from "./provider.ts";

/**
 * Any SMS gateway that accepts a JSON POST `{id, to, from, text}` with a bearer token. The
 * message's uid is sent as `id` and as `Idempotency-Key`; a gateway that honours either sends a
 * message once. It answers 2xx, optionally with its own id as `id`, `providerId` or `messageId`.
 *
 * Its callbacks carry `X-Signature`, the HMAC-SHA256 of the raw body in hex: `{id or providerId,
 * status, error?}` about a message, `{from, text}` for an incoming one.
 */
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
      return httpResult(await post({ url, headers, body, timeoutMs }, signal), message);
    },
    ...(secret === undefined ? {} : { callbacks: httpCallbacks(secret) }),
  };
}

function httpResult(answer: GatewayAnswer, { uid }: Message): ProviderResult {
  if (answer.kind === "silence") {
    return refused(answer.error, false);
  }
  const { status, text } = answer;
  if (status >= 200 && status <= 299) {
    const { id, providerId, messageId } = parseWithIds(text);
    return accepted(textOf(id) ?? textOf(providerId) ?? textOf(messageId) ?? uid);
  }
  return refused(`http_${status}`, !isTemporary(status));
}

const reported = ["sent", "delivered", "undelivered", "failed"] as const satisfies MessageStatus[];

function httpCallbacks(secret: string): Callbacks {
  const read = ({ body, header }: CallbackRequest): Record<string, unknown> => {
    const signature = header("x-signature")?.replace(/^sha256=/u, "");
    const signed = { algorithm: "sha256", encoding: "hex", secret, parts: [body] } as const;
    if (!hasValidSignature(signature, signed)) {
      throw invalidSignature();
    }
    return parseWithIds(body.toString("utf8"));
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
      const uid = input !== undefined && isUuid(input) ? input : undefined;
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

const longId = /"(id|providerId|messageId)"(\s*:\s*)(\d{16,})(?=\s*[,}])/gu;

/** Keeps every digit of ids above 2^53: rounded, they would be those of other messages. */
function parseWithIds(text: string): Record<string, unknown> {
  return parseJsonObject(text.replaceAll(longId, '"$1"$2"$3"'));
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text !== "" && text.length <= 255 ? text : undefined;
}

/**
 * The Twilio REST API. It has no idempotency key: if a worker dies after Twilio accepted the
 * message and before the result is stored, the message is sent twice. This is rare, because the
 * status callback names the message: once it has arrived, the message counts as sent and is not
 * retried. The same holds for a request without a response.
 */
export type TwilioAccount = Readonly<{
  accountSid: string;
  authToken: string;
  /** A phone number of the account, or the id of a messaging service. */
  from: string;
  apiUrl: string;
  /** Public address without a trailing slash. */
  baseUrl: string;
  timeoutMs?: number;
}>;

/** API error codes that concern the recipient's number. */
const errorWords: Readonly<Record<number, string>> = {
  21211: "invalid_recipient",
  21217: "invalid_recipient",
  21407: "invalid_recipient",
  21610: optedOut,
  21614: "invalid_recipient",
};

export function createTwilioProvider(account: TwilioAccount): MessageProvider {
  const { accountSid, authToken, apiUrl, timeoutMs } = account;
  const url = `${apiUrl.replace(/\/+$/u, "")}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString("base64");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
    authorization: `Basic ${credentials}`,
  };
  return {
    name: "twilio",
    send: async (message, signal) => {
      const body = formOf(account, message);
      return twilioResult(await post({ url, headers, body, timeoutMs }, signal), message);
    },
    callbacks: twilioCallbacks(account),
  };
}

function formOf(account: TwilioAccount, { recipient, sender, text, uid }: Message): string {
  const isService = account.from.startsWith("MG") && sender === "";
  return new URLSearchParams({
    To: recipient,
    ...(isService ? { MessagingServiceSid: account.from } : { From: sender || account.from }),
    Body: text,
    StatusCallback: `${account.baseUrl}/api/sms/status/twilio?id=${uid}`,
  }).toString();
}

const tooManyRequests = 20429;

function twilioResult(answer: GatewayAnswer, { uid }: Message): ProviderResult {
  if (answer.kind === "silence") {
    return refused(answer.error, false);
  }
  const { sid, code } = parseJsonObject(answer.text);
  if (answer.status >= 200 && answer.status <= 299) {
    return accepted(typeof sid === "string" && sid !== "" ? sid : uid);
  }
  if (typeof code !== "number") {
    return refused(`http_${answer.status}`, !isTemporary(answer.status));
  }
  const isFinal = code !== tooManyRequests && !isTemporary(answer.status);
  return refused(errorWords[code] ?? `twilio_${code}`, isFinal);
}

/** Maps Twilio's statuses. Those before `sent` only mean that Twilio accepted the message. */
const statusWords: Readonly<Record<string, MessageStatus>> = {
  accepted: "sent",
  scheduled: "sent",
  queued: "sent",
  sending: "sent",
  sent: "sent",
  delivered: "delivered",
  read: "delivered",
  undelivered: "undelivered",
  failed: "failed",
  canceled: "failed",
};

function twilioCallbacks(account: TwilioAccount): Callbacks {
  return {
    parseStatus: (request) => {
      const form = readForm(account, request);
      const providerId = fieldOf(form, "MessageSid");
      const status = statusWords[fieldOf(form, "MessageStatus")];
      if (status === undefined) {
        throw invalidParameter(
          "MessageStatus",
          "enum",
          `The MessageStatus field is invalid: it must be one of ${Object.keys(statusWords).join(", ")}.`,
        );
      }
      return {
        uid: request.query["id"],
        providerId,
        status,
        error: errorOf(form.get("ErrorCode")),
      };
    },
    parseIncoming: (request) => {
      const form = readForm(account, request);
      return { from: fieldOf(form, "From"), text: form.get("Body") ?? "" };
    },
  };
}

function readForm(
  { authToken }: TwilioAccount,
  { url, body, header }: CallbackRequest,
): URLSearchParams {
  const form = new URLSearchParams(body.toString("utf8"));
  const sorted = [...form].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const parts = [url, ...sorted.map(([name, value]) => name + value)];
  const signed = { algorithm: "sha1", encoding: "base64", secret: authToken, parts } as const;
  if (!hasValidSignature(header("x-twilio-signature"), signed)) {
    throw invalidSignature();
  }
  return form;
}

function fieldOf(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? "";
  if (value === "") {
    throw missingParameter(name);
  }
  return value;
}

function errorOf(code: string | null): string | null {
  return code === null || !/^\d{1,6}$/u.test(code) || code === "0"
    ? null
    : (errorWords[Number(code)] ?? `twilio_${code}`);
}
