import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { toError } from "../platform/errors.ts";
import { withTimeout } from "../platform/wait.ts";
import { createHttpServer, type HttpServer } from "./http-server.ts";

/** Resolves where the part works, rejects where it does not. */
export type HealthCheck = { name: string; check: () => Promise<void> };

export type HealthDeps = {
  checks: readonly HealthCheck[];
  /** The longest that one look at a part may take. */
  checkTimeoutMs?: number;
};

export type Metrics = { contentType: string; text: string };
export type HealthServerDeps = HealthDeps & { render: () => Promise<Metrics> };

const send = (response: ServerResponse, status: number, body: Metrics): void => {
  response.writeHead(status, { "Content-Type": body.contentType, "Cache-Control": "no-store" });
  response.end(body.text);
};

const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, { contentType: "application/json", text: JSON.stringify(body) });

type Finding = { name: string; isWell: boolean; ms: number; error?: string };

const look = async ({ name, check }: HealthCheck, timeoutMs: number): Promise<Finding> => {
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    await withTimeout(check(), timeoutMs, `no answer within ${timeoutMs} ms`);
    return { name, isWell: true, ms: ms() };
  } catch (thrown) {
    return { name, isWell: false, ms: ms(), error: toError(thrown).message };
  }
};

/** `/livez`: this process turns its event loop. It says nothing about what it needs. */
export const handleLive: RequestListener = (_request, response) =>
  sendJson(response, 200, { status: "ok" });

/** `/readyz`: 200 where every check passes, else 503; either way each check with its time. */
export const createReadyHandler =
  ({ checks, checkTimeoutMs = 2_000 }: HealthDeps) =>
  async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = await Promise.all(checks.map((check) => look(check, checkTimeoutMs)));
    const isReady = found.every(({ isWell }) => isWell);
    const parts = found.map(({ name, isWell, ms, error }) => ({
      name,
      status: isWell ? "ok" : "failed",
      ms,
      ...(error === undefined ? {} : { error }),
    }));
    sendJson(response, isReady ? 200 : 503, { status: isReady ? "ok" : "failed", checks: parts });
  };

/** `/metrics`: the text that Prometheus scrapes. */
export const createMetricsHandler =
  (render: HealthServerDeps["render"]) =>
  async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      send(response, 200, await render());
    } catch (thrown) {
      send(response, 500, { contentType: "text/plain", text: toError(thrown).message });
    }
  };

/** The three of them on a port of their own, for processes that serve nothing else. */
export const createHealthServer = (deps: HealthServerDeps): HttpServer => {
  const handlers: Record<string, (q: IncomingMessage, a: ServerResponse) => void> = {
    "/livez": handleLive,
    "/readyz": (request, response) => void createReadyHandler(deps)(request, response),
    "/metrics": (request, response) => void createMetricsHandler(deps.render)(request, response),
  };
  return createHttpServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
    if (handler === undefined || (request.method !== "GET" && request.method !== "HEAD")) {
      sendJson(response, 404, { status: "not found" });
      return;
    }
    handler(request, response);
  });
};
