import { problem } from "../contracts/problems.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
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
  /** Failed logins per login, of all clients that are not known browsers of the user. */
  loginFailures: RateLimiter;
  /** Password attempts per login, or per login and client after too many failures. */
  loginPace: RateLimiter;
  /** Guests' pages and link lookups, per client address, against enumeration of short codes. */
  guest: RateLimiter;
  /**
   * Token checks by the pages of the agent module, per client address. An office shares one
   * address.
   */
  tokenCheck: RateLimiter;
  /**
   * Views of the invitation form, per client address. Each view looks up the service key of its
   * URL.
   */
  invitationForm: RateLimiter;
  /** Failed sign-ins of sockets, per client address. */
  badSocket: RateLimiter;
  /** Calls of one participant of a room. */
  room: RateLimiter;
  /** Uploads of one participant of a room, which may be large. */
  guestUpload: RateLimiter;
  /** Callbacks of message gateways, per client address. */
  callback: RateLimiter;
  /** Text messages of one enterprise. */
  sms: RateLimiter;
  /** Dial-in code lookups per telephone gateway, against enumeration of nine-digit codes. */
  sip: RateLimiter;
}>;

const minute = 60;

const roomPerMinute = 600;

const guestUploadsPerMinute = 30;

const callbacksPerMinute = 600;

const codesPerMinute = 10;

/** Many users of an office share one address, so their limit is a multiple of the guests' limit. */
const checksPerGuest = 10;

const badLogins = { limit: 5, windowSeconds: 15 * minute };

/** Per login. Failures of one client are limited before. */
const failuresBeforeSlow = 10;

/**
 * Every rate limit of the API. Exact limits: the token endpoint (guards passwords), guests (guards
 * short codes), and text messages (cost money).
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

/** Spreads a limit per minute evenly: the shortest window of whole seconds that allows one call. */
function paceOf(perMinute: number): { limit: number; seconds: number } {
  const seconds = Math.max(1, Math.ceil(minute / perMinute));
  return { limit: Math.max(1, Math.floor((perMinute * seconds) / minute)), seconds };
}

/** Limits queries that may occupy a CPU core or the database for seconds. */
export function createExpensiveQueryLimiter(): FairLimiter {
  return createRequestLimiter(
    { perTenant: 2, total: 8 },
    "Too many expensive queries at once. Wait for one to finish.",
  );
}

const retryAfterSeconds = 5;

/** A fair limiter for requests. Throws `rate_limited` with `detail` if it is busy. */
export function createRequestLimiter(limits: TenantLimits, detail: string): FairLimiter {
  return createFairLimiter(limits, () =>
    problem("rate_limited", detail, { headers: { "Retry-After": String(retryAfterSeconds) } }),
  );
}
