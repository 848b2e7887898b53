import { problem, type Problem } from "../contracts/problems.ts";
import { createRateLimiter, type RateLimiter, type RateVerdict } from "./rate-limit.ts";
import type { RateStores } from "./rate-store.ts";
import {
  createFairLimiter,
  type FairLimiter,
  type TenantLimits,
} from "../platform/concurrency/limiters.ts";

export type LimitRules = Readonly<{
  apiPerMinute: number;
  eventsPerMinute: number;
  tokenPerLogin: number;
  tokenPerIp: number;
  guestPerIp: number;
  smsPerMinute: number;
}>;

export type Limits = Readonly<{
  api: RateLimiter;
  events: RateLimiter;
  tokenIp: RateLimiter;
  /** Failed logins per login and client. */
  badLogin: RateLimiter;
  /** Failed logins per login, of all clients together that are not known as its user's. */
  loginFailures: RateLimiter;
  /** Passwords tried per login, or per login and client, where there were too many failures. */
  loginPace: RateLimiter;
  /** Guests' pages and look-ups of links, per client address: short codes must not be guessed. */
  guest: RateLimiter;
  /** Checks of access tokens by the agent module's pages, per client address: an office has many. */
  tokenCheck: RateLimiter;
  /** Looks at the invitation form, per client address: what its address says is looked up. */
  invitationForm: RateLimiter;
  /** Failed sign-ins of sockets, per client address. */
  badSocket: RateLimiter;
  /** Calls of one participant of a room. */
  room: RateLimiter;
  /** Files of one participant of a room, each of which may be large. */
  guestUpload: RateLimiter;
  /** Calls of the gateways that the platform sends through, per client address. */
  callback: RateLimiter;
  /** Text messages of one enterprise. */
  sms: RateLimiter;
  /** Dial-in codes asked for by one telephone gateway: nine digits must not be tried out. */
  sip: RateLimiter;
}>;

const minute = 60;

const roomPerMinute = 600;

const guestUploadsPerMinute = 30;

const callbacksPerMinute = 600;

const codesPerMinute = 10;

/** Each page of an office checks a token, or opens the form, once; a guess has no chance at all. */
const checksPerGuest = 10;

const badLogins = { limit: 5, windowSeconds: 15 * minute };

/** Of one login; those of one client are bounded before. */
const failuresBeforeSlow = 10;

/**
 * Every limit of the API. Exact are those of the token endpoint, which guard passwords, that of
 * guests, which guards short codes, and that of text messages, which cost money.
 */
export function createLimits(rules: LimitRules, stores: RateStores): Limits {
  const create = (name: string, limit: number, more: { seconds?: number; isExact?: true } = {}) =>
    createRateLimiter({
      store: stores(name, more.seconds ?? minute),
      limit,
      windowMs: (more.seconds ?? minute) * 1000,
      ...(more.isExact === true ? { nearShare: 0 } : {}),
    });
  const pace = paceOf(rules.tokenPerLogin);
  return {
    api: create("api", rules.apiPerMinute),
    events: create("events", rules.eventsPerMinute),
    sip: create("sip", codesPerMinute, { isExact: true }),
    tokenIp: create("token-ip", rules.tokenPerIp, { isExact: true }),
    badLogin: create("bad-login", badLogins.limit, {
      seconds: badLogins.windowSeconds,
      isExact: true,
    }),
    loginFailures: create("login-failures", failuresBeforeSlow, {
      seconds: badLogins.windowSeconds,
      isExact: true,
    }),
    loginPace: create("login-pace", pace.limit, { seconds: pace.seconds, isExact: true }),
    guest: create("guest", rules.guestPerIp, { isExact: true }),
    tokenCheck: create("token-check", rules.guestPerIp * checksPerGuest),
    invitationForm: create("invitation-form", rules.guestPerIp * checksPerGuest),
    badSocket: create("bad-socket", rules.guestPerIp),
    room: create("room", roomPerMinute),
    guestUpload: create("guest-upload", guestUploadsPerMinute),
    callback: create("callback", callbacksPerMinute),
    sms: create("sms", rules.smsPerMinute, { isExact: true }),
  };
}

/** So many a minute, evenly: in the shortest window of whole seconds that lets one through. */
function paceOf(perMinute: number): { limit: number; seconds: number } {
  const seconds = Math.max(1, Math.ceil(minute / perMinute));
  return { limit: Math.max(1, Math.floor((perMinute * seconds) / minute)), seconds };
}

export function rateLimited(verdict: RateVerdict, detail = "Too many requests."): Problem {
  return problem("rate_limited", `${detail} Try again in ${verdict.resetSeconds} s.`, {
    headers: { ...limitHeaders(verdict), "Retry-After": String(verdict.resetSeconds) },
  });
}

/** Where a caller stands, on every limited answer. Reset is in seconds left. */
export function limitHeaders(verdict: RateVerdict): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(verdict.limit),
    "X-RateLimit-Remaining": String(verdict.remaining),
    "X-RateLimit-Reset": String(verdict.resetSeconds),
  };
}

/** Queries that may occupy a processor, or the database, for seconds. */
export function createExpensiveQueryLimiter(): FairLimiter {
  return createRequestLimiter(
    { perTenant: 2, total: 8 },
    "Too many expensive queries at once. Wait for one to finish.",
  );
}

const retryAfterSeconds = 5;

/** A fair limiter for requests: throws the problem `rate_limited` with `detail` when it is busy. */
export function createRequestLimiter(limits: TenantLimits, detail: string): FairLimiter {
  return createFairLimiter(limits, () =>
    problem("rate_limited", detail, { headers: { "Retry-After": String(retryAfterSeconds) } }),
  );
}
