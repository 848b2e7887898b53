import type { Readable } from "node:stream";
import { eventStreamHeaders } from "../../http/answer.ts";
import { invalidParameter, problem, webhookNotFound } from "../../contracts/problems.ts";
import { type Authenticated, reachOf } from "../../http/authorize.ts";
import { parsePage } from "../../http/paging.ts";
import {
  type Caller,
  eventStreamType,
  type JsonSchema,
  ok,
  route,
  type Route,
} from "../../http/route.ts";
import { limitQuery, webhookParams, type WebhookParams } from "../../http/schema.ts";
import {
  type EventPage,
  notePulled,
  type OwnedSubscription,
  readEvents,
  readLastSequence,
  readLastSequences,
} from "../../pipeline/ledger/queries/pull.ts";
import type { Clock } from "../../platform/clock.ts";
import { createTenantSemaphore } from "../../platform/concurrency/limiters.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import { eventPageAnswer, parseCursor, presentPage, type PulledPage, toPage } from "./present.ts";
import { createEventStream, streamTimes, type StreamTimes } from "./stream.ts";
import { createSequenceWatch } from "./watch.ts";

export type PullDeps = {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  /** Re-checks a token or session; undefined if it is no longer valid. */
  recheck: (caller: Caller) => Promise<Authenticated | undefined>;
  /** Aborts when the process starts to stop: waiting requests get an answer and streams end. */
  stopping: AbortSignal;
  times?: StreamTimes;
};

/** `after` is the last sequence of the reader; undefined for a new reader. */
type PullOptions = { after: number | undefined; limit: number; waitMs: number };

/**
 * Pulls events of a subscription. Throws `not_found` for another enterprise's, and refuses an
 * `after` that does not exist yet.
 */
type Pull = {
  /**
   * Long polling: waits up to `waitMs` for new events. Without `after`: from the oldest kept event.
   */
  list(caller: Caller, subscriptionId: number, options: PullOptions): Promise<PulledPage>;
  /** Streams until the client disconnects. Without `after`: only new events. */
  stream(caller: Caller, subscriptionId: number, after: number | undefined): Promise<Readable>;
};

export function createPull(deps: PullDeps): Pull {
  const { db, log, stopping } = deps;
  const watch = createSequenceWatch({
    readLastSequences: (ids) => readLastSequences(db, ids),
    log,
    stopping,
  });
  return { list: createList(deps, watch), stream: createStreams(deps, watch) };
}

/** Long-polling requests. Above the limits a request is answered at once. */
const waitLimits = { perTenant: 20, total: 500 };

function createList(deps: PullDeps, watch: ReturnType<typeof createSequenceWatch>): Pull["list"] {
  const { db, clock } = deps;
  const semaphore = createTenantSemaphore(waitLimits);
  const read = async (owned: OwnedSubscription, options: PullOptions): Promise<EventPage> => {
    const { after = 0, limit } = options;
    const page = await readEvents(db, owned, { after, limit });
    if (page === undefined) {
      throw webhookNotFound(owned.subscriptionId);
    }
    return page;
  };
  const hasNothing = ({ events, skipped }: PulledPage): boolean =>
    events.length === 0 && skipped.length === 0;

  return async (caller, subscriptionId, options) => {
    const { enterpriseId } = caller;
    const owned = { enterpriseId, subscriptionId };
    const { after, waitMs } = options;
    const start = { after: after ?? 0, isFirst: after === undefined };
    const first = await read(owned, options);
    checkAfter(after, first.lastSequence);
    if (after !== undefined && isReceiver(caller)) {
      await notePulled(db, subscriptionId, { sequence: after, now: clock.now() });
    }
    const page = toPage(first, start);
    const release = waitMs > 0 && hasNothing(page) ? semaphore.tryAcquire(enterpriseId) : undefined;
    if (release === undefined) {
      return page;
    }
    try {
      await watch.wait(subscriptionId, page.next, { waitMs });
    } finally {
      release();
    }
    return toPage(await read(owned, options), start);
  };
}

const streamLimits = { perTenant: 5, total: 200 };

const streamPageSize = 50;

/** `Retry-After` of a refused stream. */
const retryAfterSeconds = 10;

function createStreams(
  deps: PullDeps,
  watch: ReturnType<typeof createSequenceWatch>,
): Pull["stream"] {
  const { db, clock, log, recheck, stopping, times = streamTimes } = deps;
  const semaphore = createTenantSemaphore(streamLimits);
  const open = new Set<AbortController>();
  stopping.addEventListener("abort", () => open.forEach((controller) => controller.abort()));

  const mayRead = async (reader: Caller): Promise<boolean> => {
    const caller = (await recheck(reader))?.caller;
    return (
      caller?.enterpriseId === reader.enterpriseId &&
      reachOf(caller.role, "webhooks.read") !== undefined
    );
  };

  return async (caller, subscriptionId, after) => {
    const owned = { enterpriseId: caller.enterpriseId, subscriptionId };
    const lastSequence = await readLastSequence(db, owned);
    if (lastSequence === undefined) {
      throw webhookNotFound(subscriptionId);
    }
    checkAfter(after, lastSequence);
    if (after !== undefined && isReceiver(caller)) {
      await notePulled(db, subscriptionId, { sequence: after, now: clock.now() });
    }
    const release = semaphore.tryAcquire(caller.enterpriseId);
    if (release === undefined) {
      throw problem("rate_limited", "Too many streams are open. Close one, or pull page by page.", {
        headers: { "Retry-After": String(retryAfterSeconds) },
      });
    }
    const over = new AbortController();
    open.add(over);
    if (stopping.aborted) {
      over.abort();
    }
    return createEventStream(
      {
        watch,
        readPage: async (reached) => {
          const page = await readEvents(db, owned, { after: reached, limit: streamPageSize });
          return page && toPage(page, { after: reached, isFirst: false });
        },
        mayRead: () => mayRead(caller),
        controller: over,
        onGone: () => {
          open.delete(over);
          release();
        },
        log,
        times,
      },
      { subscriptionId, after: after ?? lastSequence },
    );
  };
}

function checkAfter(after: number | undefined, lastSequence: number): void {
  if (after !== undefined && after > lastSequence) {
    const detail = "The cursor is ahead of every event of this webhook.";
    throw invalidParameter("after", "range", detail);
  }
}

/**
 * The cursor of a receiver acknowledges events. A browser session only reads: opening a link must
 * not advance the receiver's position.
 */
function isReceiver({ sessionId }: Caller): boolean {
  return sessionId === undefined;
}

const maxWaitSeconds = 25;

const pullRule = { defaultLimit: 100, maxLimit: 1_000 };

const afterField = {
  type: "string",
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-]+$",
  rule: "a cursor that this API returned",
};

export type PullQuery = { after?: string; limit?: number; wait?: number };

export type StreamQuery = { after?: string };

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const pullSchema: JsonSchema = {
  type: "object",
  properties: {
    after: afterField,
    ...limitQuery(pullRule),
    wait: { type: "integer", minimum: 0, maximum: maxWaitSeconds },
  },
};

const streamSchema: JsonSchema = { type: "object", properties: { after: afterField } };

/** The operations with which a receiver pulls events. */
export function pullRoutes(pull: Pull): Route[] {
  return [
    route<WebhookParams, PullQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/events",
      operationId: "pullWebhookEvents",
      summary: "List the events of a webhook after a cursor (pull)",
      params: webhookParams,
      query: pullSchema,
      answer: { status: 200, schema: eventPageAnswer },
      handle: async ({ caller, params: { webhookId }, query }) => {
        const { limit } = parsePage(query, pullRule);
        const page = await pull.list(caller, webhookId, {
          after: sequenceOf(webhookId, query.after),
          limit,
          waitMs: (query.wait ?? 0) * 1_000,
        });
        return ok(presentPage(webhookId, page));
      },
    }),
    route<WebhookParams, StreamQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/events/stream",
      operationId: "streamWebhookEvents",
      summary: "Stream the events of a webhook as server-sent events",
      params: webhookParams,
      query: streamSchema,
      answer: { status: 200, produces: [eventStreamType] },
      handle: async ({ caller, params: { webhookId }, query, header }) => {
        const after = sequenceOf(webhookId, header("last-event-id") ?? query.after);
        const data = await pull.stream(caller, webhookId, after);
        return {
          status: 200,
          content: { type: eventStreamType, data },
          headers: eventStreamHeaders,
        };
      },
    }),
  ];
}

function sequenceOf(webhookId: number, cursor: string | undefined): number | undefined {
  return cursor === undefined || cursor === "" ? undefined : parseCursor(webhookId, cursor);
}
