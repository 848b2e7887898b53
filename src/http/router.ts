/**
 * The REST API, built from the declared routes. Every call passes these steps in order: path (404)
 * → method (405) → Accept (406) → token or cookie (401, 403) → rate limit (429) → family and role
 * (403) → body (413, 415, 400) → schema (400) → idempotency (409) → handler. The rate limit comes
 * before everything that can be brute-forced and before all expensive work. Public operations skip
 * token, family and role; they are limited by client address. Operations for guests have a room
 * token and a room role instead.
 */
import express, { type Request, type Response, type Router } from "express";
import { problem } from "../contracts/problems.ts";
import { sendAnswer } from "./answer.ts";
import {
  type ApiOperation,
  type ApiRouterDeps,
  createRecord,
  type PathMatch,
  recordWhenDone,
  type RequestContext,
  sendFault,
} from "./request-context.ts";
import { createApiDocs } from "./openapi/document.ts";
import { createTenantSemaphore } from "../platform/concurrency/limiters.ts";
import { securityHeaders } from "./http-server.ts";
import { serveOperation } from "./serve-route.ts";
import { createValidators } from "./validate.ts";
import type { Method } from "./route.ts";

export type { ApiRouterDeps } from "./request-context.ts";

/** The method and path of an operation. `aliases` are alternative full paths. */
export type MountedRoute = Readonly<{ method: Method; path: string; aliases?: readonly string[] }>;

/** A static segment, or the name of a parameter. */
type Segment = Readonly<{ text: string } | { parameter: string }>;

type PathPattern<R> = {
  path: string;
  segments: readonly Segment[];
  methods: Map<Method, R>;
};

/** Concurrent uploads in one process; `perUser` is per user or room participant. */
const uploadLimits = { perUser: 12, perTenant: 100, total: 300 };

/**
 * Serves the routes and their description under `/api`, `/api/v2` and `/api/v3`. Other paths are
 * passed on.
 */
export function createApiRouter(input: ApiRouterDeps): Router {
  const deps = { uploads: createTenantSemaphore(uploadLimits), ...input };
  const compile = createValidators();
  const find = createPathTable<ApiOperation>(
    deps.routes.map((route) => ({
      method: route.method,
      path: route.path,
      ...(route.aliases === undefined ? {} : { aliases: route.aliases }),
      route,
      validate: compile(route),
    })),
  );
  const router = express.Router({ caseSensitive: true });
  router.use("/api", createApiDocs(deps));
  router.use("/api", securityHeaders(), handleWith(deps, find));
  return router;
}

function handleWith(
  deps: ApiRouterDeps,
  find: (path: string) => PathMatch<ApiOperation> | undefined,
) {
  return async (request: Request, response: Response): Promise<void> => {
    const record = createRecord(request);
    recordWhenDone(record, { request, response }, { log: deps.log, observe: deps.observe });
    response.set({ "X-Request-Id": record.requestId, "Cache-Control": "no-store" });
    const match = find(request.path);
    try {
      if (match === undefined) {
        throw problem("not_found", "The path is not part of the API.");
      }
      record.route = match.path;
      await answerWith(deps, { request, response, record, match, cleanups: [] });
    } catch (thrown) {
      sendFault(deps, { response, record }, thrown);
    }
  };
}

async function answerWith(deps: ApiRouterDeps, context: RequestContext): Promise<void> {
  try {
    const { operation, answer } = await serveOperation(deps, context);
    deps.checkAnswer?.({ route: operation.route, answer });
    await sendAnswer(context.response, answer);
  } finally {
    if (context.cleanups.length > 0) {
      await Promise.all(context.cleanups.map((act) => act()));
    }
  }
}

const versions: ReadonlySet<string> = new Set(["v2", "v3"]);

/**
 * Finds operations by path. Two operations with the same method and path are a programming error.
 */
export function createPathTable<R extends MountedRoute>(
  routes: readonly R[],
): (path: string) => PathMatch<R> | undefined {
  const patterns = collectPatterns(routes);
  const byLength = new Map<number, PathPattern<R>[]>();
  for (const pattern of patterns.values()) {
    const { length } = pattern.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), pattern]);
  }
  for (const candidates of byLength.values()) {
    candidates.sort((a, b) => countParameters(a.segments) - countParameters(b.segments));
  }
  return (path) => {
    const parts = splitPath(path);
    if (versions.has(parts[0] ?? "")) {
      parts.shift();
    }
    const words = parts.map(canonical);
    const pattern = byLength
      .get(parts.length)
      ?.find(({ segments }) => segments.every((segment, index) => isMatch(segment, words[index])));
    return (
      pattern && {
        path: pattern.path,
        methods: pattern.methods,
        rawParams: paramsOf(pattern.segments, parts),
      }
    );
  };
}

function collectPatterns<R extends MountedRoute>(
  routes: readonly R[],
): Map<string, PathPattern<R>> {
  const patterns = new Map<string, PathPattern<R>>();
  const mount = (path: string, route: R): void => {
    const segments = toSegments(path);
    const pattern = patterns.get(keyOf(segments)) ?? {
      path,
      segments,
      methods: new Map<Method, R>(),
    };
    if (pattern.methods.has(route.method)) {
      throw new Error(`Two operations are declared for ${route.method} ${path}`);
    }
    pattern.methods.set(route.method, route);
    patterns.set(keyOf(segments), pattern);
  };
  for (const route of routes) {
    [route.path, ...(route.aliases ?? [])].forEach((path) => mount(path, route));
  }
  return patterns;
}

function toSegments(path: string): readonly Segment[] {
  return splitPath(path).map((part) => {
    const parameter = /^\{(\w+)\}$/u.exec(part)?.[1];
    return parameter === undefined ? { text: canonical(part) } : { parameter };
  });
}

/** Ignores one trailing slash, but not empty segments in the middle. */
function splitPath(path: string): string[] {
  return path.replace(/^\//u, "").replace(/\/$/u, "").split("/");
}

function keyOf(segments: readonly Segment[]): string {
  return segments.map((segment) => ("text" in segment ? segment.text : "{}")).join("/");
}

/** Static segments take precedence over parameters: `/users/me` never matches `/users/{id}`. */
function countParameters(segments: readonly Segment[]): number {
  return segments.filter((segment) => "parameter" in segment).length;
}

function isMatch(segment: Segment, word: string | undefined): boolean {
  return "parameter" in segment ? word !== "" : segment.text === word;
}

function paramsOf(segments: readonly Segment[], parts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if ("parameter" in segment) {
      params[segment.parameter] = parts[index] ?? "";
    }
  }
  return params;
}

/**
 * Path segments, plural → singular. Both forms are valid in every position: `/tickets/7/events` is
 * `/ticket/7/event`. `authentication` is the old name of `token`.
 */
const singularOf: Readonly<Record<string, string>> = {
  tickets: "ticket",
  webhooks: "webhook",
  users: "user",
  medias: "media",
  sessions: "session",
  services: "service",
  conversations: "conversation",
  conferences: "conference",
  enterprises: "enterprise",
  emails: "email",
  events: "event",
  deliveries: "delivery",
  groups: "group",
  "user-groups": "user-group",
  domains: "domain",
  buttons: "button",
  templates: "template",
  messages: "message",
  participants: "participant",
  invitations: "invitation",
  statistics: "statistic",
  "tickets-stats": "ticket-stats",
  "sessions-stats": "session-stats",
  surveys: "survey",
  answers: "answer",
  recordings: "recording",
  replays: "replay",
  chunks: "chunk",
  colleagues: "colleague",
  experts: "expert",
  rooms: "room",
  alerts: "alert",
  queues: "queue",
  rows: "row",
  consents: "consent",
  devices: "device",
  tokens: "token",
  "api-tokens": "api-token",
  requests: "request",
  "position-requests": "position-request",
  "event-types": "event-type",
  authentication: "token",
};

function canonical(segment: string): string {
  return Object.hasOwn(singularOf, segment) ? (singularOf[segment] ?? segment) : segment;
}
