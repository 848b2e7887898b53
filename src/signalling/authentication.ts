/** Authentication and authorization of socket handshakes. */
import type { IncomingHttpHeaders } from "node:http";
import { problem } from "../contracts/problems.ts";
import { reachOfCaller, type Authenticated } from "../http/authorize.ts";
import type { Permission, Scope } from "../contracts/permissions.ts";
import { networkOf } from "./connection-limiter.ts";
import type { Claim, SignallingDeps } from "./ports.ts";

/** The handshake data of a socket. */
export type HandshakeSocket = Readonly<{
  handshake: Readonly<{
    headers: IncomingHttpHeaders;
    address: string;
    auth: Readonly<Record<string, unknown>>;
  }>;
}>;

export function originOf(socket: HandshakeSocket): string | undefined {
  return firstOf(socket.handshake.headers.origin);
}

/**
 * Whether the page that opened the socket is one of the platform's own: at its public address, or at
 * the host that the browser connects to (an alias, or `localhost`). Clients other than browsers send
 * no `Origin`.
 */
export function isOwnPage({ handshake: { headers } }: HandshakeSocket, baseUrl: string): boolean {
  const origin = firstOf(headers.origin);
  if (origin === undefined || origin === new URL(baseUrl).origin) {
    return true;
  }
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}

export function userAgentOf(socket: HandshakeSocket): string | null {
  return socket.handshake.headers["user-agent"] ?? null;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** Limits failed sign-ins per client network. */
export async function withFailureLimit<T>(
  { failures, trustProxy }: Pick<SignallingDeps, "failures" | "trustProxy">,
  socket: HandshakeSocket,
  signIn: () => Promise<T | undefined>,
): Promise<T> {
  const { headers, address } = socket.handshake;
  const key = networkOf(headers, address, trustProxy);
  const verdict = await failures.peek(key);
  if (!verdict.isAllowed) {
    throw problem("rate_limited", `Too many requests. Try again in ${verdict.resetSeconds} s.`);
  }
  const found = await signIn();
  if (found === undefined) {
    await failures.take(key);
    throw problem("bad_token", "The access token is not valid for this user.");
  }
  return found;
}

/** Credentials from the handshake. `userId` may be a numeric string. */
export function parseClaim(socket: HandshakeSocket): Claim | undefined {
  const { apiKey, userId, token } = socket.handshake.auth;
  const id = Number(userId);
  return isText(apiKey) && isText(token) && Number.isSafeInteger(id) && id > 0
    ? { apiKey, token, userId: id }
    : undefined;
}

export function roomTokenOf(socket: HandshakeSocket): string | undefined {
  const { token } = socket.handshake.auth;
  return isText(token) ? token : undefined;
}

const maxLength = 4_096;

function isText(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7E]+$/u.test(value) && value.length <= maxLength;
}

/** The caller's scope for a permission. Throws if the permission or the solution is missing. */
export function scopeFor({ caller, hasSolution }: Authenticated, permission: Permission): Scope {
  if (!hasSolution || caller.accountType === "platform") {
    throw problem("feature_off", "This account has no access to the operations of the solution.");
  }
  const reach = reachOfCaller(caller, permission);
  if (reach === undefined) {
    throw problem("forbidden", `The role ${caller.role} lacks this permission.`);
  }
  const { enterpriseId, userId, groupIds } = caller;
  return { enterpriseId, userId, groupIds, reach };
}
