import { randomUUID } from "node:crypto";
import type { Request, Response } from "express";
import type { Logger } from "../platform/logger.ts";
import type { AnyRoute } from "./route.ts";

/** What is known of a request so far: the source of its one log line and of its metrics. */
export type RequestRecord = {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The pattern, never the path: paths hold ids and secrets, and would blow up the metrics. */
  route: string;
  operation: AnyRoute | undefined;
  caller: Readonly<{ userId: number | null; enterpriseId: number }> | undefined;
  /** The problem's code on refusals. */
  code: number | undefined;
};

export type ObserveRequest = (observation: {
  method: string;
  route: string;
  status: number;
  seconds: number;
}) => void;

export function createRecord(request: Request): RequestRecord {
  return {
    requestId: requestIdOf(request.get("x-request-id")),
    startedAtMs: performance.now(),
    route: "unknown",
    operation: undefined,
    caller: undefined,
    code: undefined,
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;

/** A client's own request id is taken if it is a UUID, so that it can find its call in our log. */
function requestIdOf(header: string | undefined): string {
  return header !== undefined && uuid.test(header) ? header.toLowerCase() : randomUUID();
}

/** Methods outside this list would be labels that a client can invent. */
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** One line when the answer is out or the client gone. The query string is never part of it. */
export function recordWhenDone(
  record: RequestRecord,
  { request, response }: { request: Request; response: Response },
  { log, observe }: { log: Pick<Logger, "info">; observe: ObserveRequest | undefined },
): void {
  response.once("close", () => {
    const ms = performance.now() - record.startedAtMs;
    const method = methods.has(request.method) ? request.method : "other";
    const status = response.statusCode;
    observe?.({ method, route: record.route, status, seconds: ms / 1000 });
    log.info(
      {
        requestId: record.requestId,
        method,
        route: record.route,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(record.code === undefined ? {} : { code: record.code }),
        ...(record.caller === undefined
          ? {}
          : { userId: record.caller.userId, enterpriseId: record.caller.enterpriseId }),
        ...(response.writableFinished ? {} : { isAborted: true }),
      },
      "request.answered",
    );
  });
}
