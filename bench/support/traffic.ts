/** Settles deliveries at a steady rate, without sending them. */
import type { Settlement } from "../../src/pipeline/ledger/record-results.ts";
import { settleAttempts } from "../../src/pipeline/ledger/settle.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";

export type TrafficOptions = {
  enterpriseId: number;
  subscriptionIds: readonly number[];
  perSecond: number;
};

export type Traffic = {
  /** Deliveries settled so far. */
  settled(): number;
  stop(): Promise<void>;
};

const ticksPerSecond = 10;

/** Puts deliveries into the state after relay, enqueue and claim. */
function claim(db: Db, enterpriseId: number, subscriptionId: number, count: number) {
  return rowsOf<{ id: number }>(
    db,
    `WITH counted AS (
       UPDATE subscription_health SET last_sequence = last_sequence + ?
       WHERE subscription_id = ? RETURNING last_sequence
     )
     INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
       key, state, generation, due_at, queued_at, lease_until)
     SELECT ?, ?, last_sequence - n, nextval('events_id_seq'), now() - interval '40 milliseconds',
       'ticket', 'ticket:' || n, 'sending', 1, now(), now(), now() + interval '30 seconds'
     FROM counted, generate_series(0, ?::integer - 1) AS n RETURNING id`,
    [count, subscriptionId, enterpriseId, subscriptionId, count],
  );
}

function settlementOf(subscriptionId: number, id: number): Settlement {
  const isFailure = id % 50 === 0;
  return {
    deliveryId: id,
    generation: 1,
    subscriptionId,
    object: "ticket",
    state: isFailure ? "retry" : "delivered",
    dueAt: isFailure ? new Date(Date.now() + 3_600_000) : null,
    congested: false,
    throttleMs: 0,
    isCatchingUp: false,
    record: {
      startedAt: new Date(Date.now() - 20),
      revision: null,
      durationMs: 10 + (id % 40),
      status: isFailure ? 500 : 200,
      failure: null,
      failureDetail: null,
      phases: { firstByte: 18, total: 20 },
      requestHeaders: { "User-Agent": "Sightline Cloud", "webhook-id": `evt_${id}` },
      responseHeaders: { server: "nginx", "content-type": "text/plain" },
      responseBody: "ok",
    },
  };
}

function limits() {
  return {
    slots: {},
    shares: {},
    each: 1_000,
    leaseMs: 30_000,
    ...{
      now: new Date(),
      closed: [],
      maxInFlight: 256,
      reservedMs: 0,
      mayProbe: false,
      pace: "full" as const,
    },
  };
}

/** Starts immediately. On a slow machine it falls behind instead of catching up. */
export function startTraffic(
  db: Db,
  { enterpriseId, subscriptionIds, perSecond }: TrafficOptions,
): Traffic {
  const stop = new AbortController();
  const nothing = async (): Promise<void> => undefined;
  const deps = {
    db,
    writeNotices: nothing,
    steady: new Set<number>(),
    dueSeen: new Map(),
    sendDue: nothing,
  };
  const count = Math.ceil(perSecond / ticksPerSecond / subscriptionIds.length);
  let settled = 0;
  const tick = async (subscriptionId: number): Promise<void> => {
    const ids = await claim(db, enterpriseId, subscriptionId, count);
    const settlements = ids.map(({ id }) => settlementOf(subscriptionId, id));
    await settleAttempts(deps, settlements, limits());
    settled += ids.length;
  };
  const run = async (): Promise<void> => {
    let at = performance.now();
    while (!stop.signal.aborted) {
      await Promise.all(subscriptionIds.map(tick));
      at = Math.max(at + 1_000 / ticksPerSecond, performance.now() - 500);
      await sleep(Math.max(0, at - performance.now()), stop.signal);
    }
  };
  const running = run();
  return {
    settled: () => settled,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}
