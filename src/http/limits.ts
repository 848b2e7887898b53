import { problem, type Problem } from "../contracts/problems.ts";
import { createRateLimiter, type RateLimiter, type Verdict } from "./rate-limit.ts";
import type { RateStores } from "./rate-store.ts";

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
  tokenLogin: RateLimiter;
  tokenIp: RateLimiter;
  /** Failed logins per login and client address. */
  badLogin: RateLimiter;
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

/**
 * Every limit of the API. Exact are those of the token endpoint, which guard passwords, that of
 * guests, which guards short codes, and that of text messages, which cost money.
 */
export const createLimits = (rules: LimitRules, stores: RateStores): Limits => {
  const create = (name: string, limit: number, more: { seconds?: number; isExact?: true } = {}) =>
    createRateLimiter({
      store: stores(name, more.seconds ?? minute),
      limit,
      windowMs: (more.seconds ?? minute) * 1000,
      ...(more.isExact === true ? { nearShare: 0 } : {}),
    });
  return {
    api: create("api", rules.apiPerMinute),
    events: create("events", rules.eventsPerMinute),
    sip: create("sip", codesPerMinute, { isExact: true }),
    tokenLogin: create("token-login", rules.tokenPerLogin, { isExact: true }),
    tokenIp: create("token-ip", rules.tokenPerIp, { isExact: true }),
    badLogin: create("bad-login", badLogins.limit, {
      seconds: badLogins.windowSeconds,
      isExact: true,
    }),
    guest: create("guest", rules.guestPerIp, { isExact: true }),
    tokenCheck: create("token-check", rules.guestPerIp * checksPerGuest),
    invitationForm: create("invitation-form", rules.guestPerIp * checksPerGuest),
    badSocket: create("bad-socket", rules.guestPerIp),
    room: create("room", roomPerMinute),
    guestUpload: create("guest-upload", guestUploadsPerMinute),
    callback: create("callback", callbacksPerMinute),
    sms: create("sms", rules.smsPerMinute, { isExact: true }),
  };
};

/** Where a caller stands, on every limited answer. Reset is in seconds left. */
export const limitHeaders = (verdict: Verdict): Record<string, string> => ({
  "X-RateLimit-Limit": String(verdict.limit),
  "X-RateLimit-Remaining": String(verdict.remaining),
  "X-RateLimit-Reset": String(verdict.resetSeconds),
});

export const rateLimited = (verdict: Verdict, detail = "Too many calls."): Problem =>
  problem("rate_limited", `${detail} Try again in ${verdict.resetSeconds} s.`, {
    headers: { ...limitHeaders(verdict), "Retry-After": String(verdict.resetSeconds) },
  });
