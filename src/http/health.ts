import { isEqualConstantTime } from "../platform/secret-box.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describeError, errorCodeOf, toError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { withTimeout } from "../platform/concurrency/async.ts";
import { createHttpServer, type HttpServer } from "./http-server.ts";

/** The reason why a part is not ready, safe to show to anybody. Other errors are only logged. */
export class NotReadyError extends Error {
  constructor(publicReason: string, cause?: Error) {
    super(publicReason, { cause });
    this.name = "NotReadyError";
  }
}

/** `check` rejects if the part does not work. */
export type HealthCheck = { name: string; check: () => Promise<void> };

export type HealthDeps = {
  checks: readonly HealthCheck[];
  /** Time limit of one check. */
  checkTimeoutMs?: number;
  /** Fires when the process is asked to stop, so that load balancers stop sending requests. */
  stopRequested?: AbortSignal;
  log: Pick<Logger, "warn">;
};

export type MetricsText = { contentType: string; text: string };

export type MetricsDeps = {
  render: () => Promise<MetricsText>;
  /** The bearer token that readers of the metrics must send, if configured. */
  metricsToken?: string | undefined;
  log: HealthDeps["log"];
};

export type HealthServerDeps = HealthDeps & MetricsDeps;

/** `/livez`: the event loop runs. Dependencies are not checked. */
export function handleLive(_request: IncomingMessage, response: ServerResponse): void {
  sendJson(response, 200, { status: "ok" });
}

/** `/livez`, `/readyz` and `/metrics` on a separate port, for processes that serve nothing else. */
export function createHealthServer(deps: HealthServerDeps): HttpServer {
  const handlers: Record<string, (q: IncomingMessage, a: ServerResponse) => void> = {
    "/livez": handleLive,
    "/readyz": (request, response) => void createReadyHandler(deps)(request, response),
    "/metrics": (request, response) => void createMetricsHandler(deps)(request, response),
  };
  return createHttpServer((request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const handler = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
    if (handler === undefined) {
      sendJson(response, 404, { status: "not found" });
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      sendJson(response, 405, { status: "method not allowed" });
    } else {
      handler(request, response);
    }
  });
}

/**
 * `/readyz`: 200 if every check passes, else 503, with the duration of each check. Always 503 once
 * the process is asked to stop.
 */
export function createReadyHandler(deps: HealthDeps) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (deps.stopRequested?.aborted === true) {
      sendJson(response, 503, { status: "stopping", checks: [] });
      return;
    }
    const checks = await Promise.all(deps.checks.map((check) => runCheck(check, deps)));
    const isReady = checks.every(({ status }) => status === "ok");
    sendJson(response, isReady ? 200 : 503, { status: isReady ? "ok" : "failed", checks });
  };
}

type CheckResult = { name: string; status: "ok" | "failed"; ms: number; error?: string };

/** Failures are logged, not shown: messages may contain internal addresses. */
export async function runCheck(
  { name, check }: HealthCheck,
  { checkTimeoutMs = 2_000, log }: Pick<HealthDeps, "checkTimeoutMs" | "log">,
): Promise<CheckResult> {
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  try {
    await withTimeout(check(), checkTimeoutMs, `no response within ${checkTimeoutMs} ms`);
    return { name, status: "ok", ms: ms() };
  } catch (thrown) {
    const code = errorCodeOf(thrown);
    log.warn(
      { check: name, reason: describeError(thrown), ...(code === undefined ? {} : { code }) },
      "health.check_failed",
    );
    const reason = thrown instanceof NotReadyError ? { error: thrown.message } : {};
    return { name, status: "failed", ms: ms(), ...reason };
  }
}

/** `/metrics` for Prometheus; requires the token if one is configured. */
export function createMetricsHandler({ render, metricsToken, log }: MetricsDeps) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (metricsToken !== undefined && !hasMetricsToken(metricsToken, request)) {
      response.setHeader("WWW-Authenticate", 'Bearer realm="metrics"');
      sendJson(response, 401, { status: "unauthorized" });
      return;
    }
    try {
      send(response, 200, await render());
    } catch (thrown) {
      log.warn({ reason: toError(thrown).message }, "metrics.failed");
      send(response, 500, { contentType: "text/plain", text: "failed" });
    }
  };
}

/** Constant-time comparison. */
function hasMetricsToken(token: string, { headers }: IncomingMessage): boolean {
  const [scheme = "", input = ""] = (headers.authorization ?? "").split(" ", 2);
  return isEqualConstantTime(input, token) && scheme.toLowerCase() === "bearer";
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, { contentType: "application/json", text: JSON.stringify(body) });
}

function send(response: ServerResponse, status: number, body: MetricsText): void {
  response.writeHead(status, { "Content-Type": body.contentType, "Cache-Control": "no-store" });
  response.end(body.text);
}
