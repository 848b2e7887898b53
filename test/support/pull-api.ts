import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { AnyRoute, Caller } from "../../src/http/route.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { createPull, pullRoutes } from "../../src/deliveries/pull/pull.ts";
import type { StreamTimes } from "../../src/deliveries/pull/stream.ts";
import { eventually } from "./eventually.ts";
import { anEnterprise, aSubscription } from "./factories.ts";
import { createCallers, serveCallers, type ApiAnswer } from "./callers-api.ts";
import { aCaller } from "./webhook-api.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export type PullApi = {
  /** Base URL of the API, including `/api`. */
  readonly url: string;
  admit(caller: Caller): void;
  revoke(caller: Caller): void;
  get(caller: Caller, path: string): Promise<ApiAnswer>;
  /** Opens the event stream. `path` is below `/webhooks`. */
  open(caller: Caller, path: string, headers?: Record<string, string>): Promise<Response>;
  /** Ends the streams, like the first step of a process stop. */
  stop(): void;
  close(): Promise<void>;
};

export type PullApiOptions = {
  times?: StreamTimes;
  /** Additional operations. */
  routes?: readonly AnyRoute[];
};

/** The pull operations on a real HTTP server, with the real router. */
export async function startPullApi(
  db: Db,
  { times, routes = [] }: PullApiOptions = {},
): Promise<PullApi> {
  const callers = createCallers();
  const stopping = new AbortController();
  const pull = createPull({
    db,
    clock: systemClock,
    log: silent as never,
    recheck: ({ token }) => callers.authenticate(token),
    stopping: stopping.signal,
    ...(times === undefined ? {} : { times }),
  });
  const api = await serveCallers([...routes, ...pullRoutes(pull)], callers);
  const { url } = api;
  const send = (caller: Caller, path: string, headers: Record<string, string>) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${caller.token}`, ...headers } });
  return {
    url,
    admit: callers.admit,
    revoke: callers.revoke,
    get: async (caller, path) => {
      const response = await send(caller, path, {});
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as ApiAnswer["body"],
      };
    },
    open: (caller, path, headers = {}) =>
      send(caller, path, { accept: "text/event-stream", ...headers }),
    stop: () => stopping.abort(),
    close: async () => {
      stopping.abort();
      await api.close();
    },
  };
}

/** A reader of a new enterprise, and a subscription in pull mode. */
export async function aPullingReader(
  db: Db,
  api: Pick<PullApi, "admit">,
): Promise<{ caller: Caller; id: number }> {
  const caller = await aCaller(db, "integration", (await anEnterprise(db)).id);
  api.admit(caller);
  const { id } = await aSubscription(db, {
    enterprise_id: caller.enterpriseId,
    url: null,
    mode: "pull",
  });
  await rowsOf(db, "UPDATE subscription_revisions SET mode = 'pull' WHERE subscription_id = ?", [
    id,
  ]);
  return { caller, id };
}

/**
 * Inserts deliveries like the relay: under the lock of the health row, with contiguous sequences.
 */
export async function addDeliveries(
  db: Db,
  { enterpriseId, id }: { enterpriseId: number; id: number },
  bodies: readonly string[],
): Promise<void> {
  await db.transaction(async (trx) => {
    const [health] = await rowsOf<{ last_sequence: number }>(
      trx,
      "SELECT last_sequence FROM subscription_health WHERE subscription_id = ? FOR UPDATE",
      [id],
    );
    const last = health?.last_sequence ?? 0;
    await rowsOf(
      trx,
      `WITH written AS (
         INSERT INTO events (event_id, enterprise_id, object, event, object_id, key, body)
         SELECT concat('evt_', gen_random_uuid()), ?, 'ticket', 'update', place, 'ticket:1', body
         FROM unnest(?::text[]) WITH ORDINALITY AS input(body, place) ORDER BY place
         RETURNING id, occurred_at, object_id
       ), delivered AS (
         INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
           object, key, state, due_at)
         SELECT ?, ?, ? + CAST(object_id AS bigint), id, occurred_at, 'ticket', 'ticket:1',
           'available', now()
         FROM written
       )
       UPDATE subscription_health SET last_sequence = ? WHERE subscription_id = ?`,
      [enterpriseId, bodies, enterpriseId, id, last, last + bodies.length, id],
    );
  });
}

export type Streamed = {
  readonly messages: readonly EventSourceMessage[];
  readonly comments: number;
  readonly isOver: boolean;
  /** Resolves when this many events of this kind have arrived. */
  has(event: string, count: number): Promise<EventSourceMessage[]>;
  /** Closes the connection. */
  leave(): Promise<void>;
};

/** Reads a stream until it ends or `leave` is called. */
export function readStream(response: Response): Streamed {
  const messages: EventSourceMessage[] = [];
  const state = { comments: 0, isOver: false };
  const parser = createParser({
    onEvent: (message) => void messages.push(message),
    onComment: () => {
      state.comments += 1;
    },
  });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      parser.feed(decoder.decode(value, { stream: true }));
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      state.isOver = true;
    });
  const ofKind = (event: string) => messages.filter((message) => message.event === event);
  return {
    messages,
    get comments() {
      return state.comments;
    },
    get isOver() {
      return state.isOver;
    },
    has: async (event, count) => {
      await eventually(() => ofKind(event).length >= count);
      return ofKind(event);
    },
    leave: () => reader.cancel(),
  };
}
