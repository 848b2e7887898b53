import express from "express";
import type { Authenticated } from "../../src/http/authorize.ts";
import { createHttpServer, messageClasses } from "../../src/http/http-server.ts";
import type { Idempotency } from "../../src/http/idempotency.ts";
import { createLastHandlers } from "../../src/pages/problem-pages.ts";
import type { RateLimiter } from "../../src/http/rate-limit.ts";
import type { RateStores } from "../../src/http/rate-store.ts";
import { createApiRouter, type ApiRouterDeps } from "../../src/http/router.ts";
import { createRoomTokens } from "../../src/http/room-tokens.ts";
import type { AnyRoute, Caller, Guest } from "../../src/http/route.ts";
import { checkAnswer } from "./described.ts";
import { testKey } from "./secret-box.ts";

export const testBaseUrl = "https://sightline.example";

const allowed = { isAllowed: true, limit: 600, remaining: 599, resetSeconds: 60 };
const unlimited: RateLimiter = {
  take: async () => allowed,
  peek: async () => allowed,
  refund: () => undefined,
  reset: async () => undefined,
};

export const unlimitedCalls: ApiRouterDeps["limits"] = {
  api: unlimited,
  events: unlimited,
  tokenIp: unlimited,
  tokenCheck: unlimited,
  guest: unlimited,
  room: unlimited,
  guestUpload: unlimited,
  callback: unlimited,
};

/** Stores that count in this process only, for tests that are not about sharing limits. */
export const memoryRateStores: RateStores = (_name, windowSeconds) => {
  const windows = new Map<string, { total: number; endsAtMs: number }>();
  const open = (key: string) => {
    const present = windows.get(key);
    return present !== undefined && present.endsAtMs > Date.now()
      ? present
      : { total: 0, endsAtMs: Date.now() + windowSeconds * 1000 };
  };
  return {
    add: async (key, points) => {
      const window = open(key);
      window.total += points;
      windows.set(key, window);
      return { total: window.total, resetMs: window.endsAtMs - Date.now() };
    },
    reset: async (key) => {
      windows.delete(key);
    },
  };
};

export const noIdempotency: Idempotency = {
  find: async () => undefined,
  reservation: () => ({ begin: async () => undefined, finish: async () => undefined }),
};

export type LogLine = { level: string; fields: Record<string, unknown>; event: string };

/** A logger that appends its lines to the list. */
export function logInto(lines: LogLine[]): ApiRouterDeps["log"] {
  const write = (level: string) => (fields: object, event: string) =>
    void lines.push({ level, fields: { ...fields }, event });
  return { info: write("info"), warn: write("warn"), error: write("error") } as never;
}

export type TestApi = {
  readonly url: string;
  readonly log: LogLine[];
  close(): Promise<void>;
};

export type TestApiOptions = {
  routes: readonly AnyRoute[];
  authenticate?: ApiRouterDeps["authenticate"];
  sessions?: ApiRouterDeps["sessions"];
  verifyRoomToken?: ApiRouterDeps["verifyRoomToken"];
  limits?: Partial<ApiRouterDeps["limits"]>;
  idempotency?: Idempotency;
  uploads?: ApiRouterDeps["uploads"];
  /** Time limit for a client to send its request body. */
  bodyTimeMs?: number;
  /** The base URL that the platform is configured with. */
  baseUrl?: string;
};

/** A caller of a fictitious enterprise, for routes without database access. */
export function testCaller(more: Partial<Caller> = {}): Caller {
  return {
    userId: 7,
    enterpriseId: 3,
    login: "admin@test.example",
    role: "admin",
    accountType: "solution",
    groupIds: [],
    token: "good",
    ...more,
  };
}

/** Accepts only the token of this caller. */
export function only(caller: Caller, hasSolution = true): ApiRouterDeps["authenticate"] {
  return async (token): Promise<Authenticated | undefined> =>
    token === caller.token ? { caller, hasSolution } : undefined;
}

/** A participant of a fictitious room. */
export function testGuest(more: Partial<Guest> = {}): Guest {
  return {
    enterpriseId: 3,
    conversationId: 55,
    ticketId: 12,
    conferenceId: null,
    role: "requestor",
    participant: "p1",
    visit: "v1",
    userId: null,
    name: "Ann",
    ...more,
  };
}

/** The issuer of room tokens that the tests' routers accept. */
export const testRoomTokens = createRoomTokens(testKey);

/** The authorization header with a room token. */
export async function asGuest(guest: Guest = testGuest()): Promise<{ authorization: string }> {
  return {
    authorization: `Bearer ${await testRoomTokens.issue(guest, new Date(Date.now() + 3_600_000))}`,
  };
}

/** The router on a real server, with defaults for all other dependencies. */
export async function startApi(options: TestApiOptions): Promise<TestApi> {
  const log: LogLine[] = [];
  const app = express();
  app.use(
    createApiRouter({
      routes: options.routes,
      authenticate: options.authenticate ?? only(testCaller()),
      ...(options.sessions === undefined ? {} : { sessions: options.sessions }),
      verifyRoomToken: options.verifyRoomToken ?? testRoomTokens.verify,
      limits: { ...unlimitedCalls, ...options.limits },
      idempotency: options.idempotency ?? noIdempotency,
      baseUrl: options.baseUrl ?? testBaseUrl,
      log: logInto(log),
      checkAnswer,
      ...(options.uploads === undefined ? {} : { uploads: options.uploads }),
    }),
  );
  const [, answerFault] = createLastHandlers({ baseUrl: testBaseUrl, log: logInto(log) });
  app.use(answerFault);
  const { bodyTimeMs } = options;
  const messages = messageClasses(app);
  const server = createHttpServer(app, {
    messages,
    ...(bodyTimeMs === undefined ? {} : { bodyTimeMs }),
  });
  const port = await server.listen(0, "127.0.0.1");
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    close: async () => {
      await server.close(1_000);
    },
  };
}
