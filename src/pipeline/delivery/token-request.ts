/** The token request of RFC 6749, 4.4, and what may come back. Pure. */
import type { OAuth2Client } from "../../contracts/subscriptions.ts";
import type { SendRequest, SendResult } from "./send-types.ts";

/** `reason` is for the subscriber's eyes and holds nothing of what the server wrote. */
export type TokenReading =
  | { kind: "token"; token: string; lifetimeMs: number }
  | { kind: "none"; reason: string };

type Members = Readonly<Record<string, unknown>>;

/** What is read of a token server's answer; more than any token that a header could carry. */
const maxTokenAnswerBytes = 64 * 1024;

/** Asks for a token. Nothing of a subscription is in it but its client's credentials. */
export function tokenRequest(client: OAuth2Client, timeoutMs: number): SendRequest {
  const { scope, audience } = client;
  const isBasic = client.authentication === "basic";
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    ...(isBasic ? {} : { client_id: client.clientId, client_secret: client.clientSecret }),
    ...(scope === null ? {} : { scope }),
    ...(audience === null ? {} : { audience }),
  });
  return {
    url: client.tokenUrl,
    headers: {
      Accept: "application/json",
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent": "Sightline Cloud",
      ...(isBasic ? { Authorization: basicOf(client) } : {}),
    },
    body: Buffer.from(form.toString(), "utf8"),
    keptBytes: maxTokenAnswerBytes,
    timeoutMs,
  };
}

function basicOf({ clientId, clientSecret }: OAuth2Client): string {
  const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
  return `Basic ${Buffer.from(pair, "utf8").toString("base64")}`;
}

/** `application/x-www-form-urlencoded`, as RFC 6749, 2.3.1 wants id and secret in the header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

/** Reads what a token server did. */
export function readToken(result: SendResult): TokenReading {
  if (result.kind === "failed") {
    return none(`token server: ${result.detail}`);
  }
  const members = parseMembers(result.body);
  if (result.status !== 200) {
    return refusal(result.status, members);
  }
  return members === undefined
    ? none("the token server's answer is not JSON of at most 64 KB")
    : grantOf(members);
}

function parseMembers(text: string): Members | undefined {
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === "object" && parsed !== null ? (parsed as Members) : undefined;
  } catch {
    return undefined;
  }
}

/** The words of RFC 6749, 5.2 and RFC 8707. Others are not repeated: they could be anything. */
const knownErrors = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "invalid_target",
  "server_error",
  "temporarily_unavailable",
]);

function refusal(status: number, members: Members | undefined): TokenReading {
  const error = members?.["error"];
  const word = typeof error === "string" && knownErrors.has(error) ? ` (${error})` : "";
  return none(`the token server answered ${status}${word}`);
}

function grantOf(members: Members): TokenReading {
  const token = members["access_token"];
  const type = members["token_type"];
  const lifetimeMs = lifetimeMsOf(members["expires_in"]);
  if (!isSendable(token)) {
    return none("the token server's answer has no access_token that can be sent");
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    return none("the token_type of the token server's answer is not Bearer");
  }
  return lifetimeMs === undefined
    ? none("the expires_in of the token server's answer is not a number of seconds")
    : { kind: "token", token, lifetimeMs };
}

/** Where the answer does not say how long a token is good. */
const assumedLifetimeMs = 5 * 60_000;

const longestLifetimeMs = 24 * 3_600_000;

/** Some servers write the number as a text. Undefined for what is no number of seconds. */
function lifetimeMsOf(expiresIn: unknown): number | undefined {
  if (expiresIn === undefined || expiresIn === null) {
    return assumedLifetimeMs;
  }
  const seconds =
    typeof expiresIn === "string" && /^\d{1,12}$/u.test(expiresIn) ? Number(expiresIn) : expiresIn;
  return typeof seconds === "number" && seconds >= 0
    ? Math.min(seconds * 1_000, longestLifetimeMs)
    : undefined;
}

const maxTokenLength = 8 * 1024;

/** What a header can carry, and no blank. */
function isSendable(token: unknown): token is string {
  return (
    typeof token === "string" && token.length <= maxTokenLength && /^[\x21-\x7e]+$/u.test(token)
  );
}

function none(reason: string): TokenReading {
  return { kind: "none", reason };
}
