/**
 * The cost of the fan-out alone, by number of relays and shards. The relays share this process,
 * each with separate connections, so a second relay gains less than in production.
 */
import { createRelay, type Relay } from "../../src/pipeline/relay/relay.ts";
import { openPool, rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { Stack } from "../support/stack.ts";
import { calmDown } from "../support/stack.ts";
import { medianOfAll, nowMs } from "../support/statistics.ts";
import { subscribe } from "../support/subscriptions.ts";
import { cpuMs } from "../support/usage.ts";

export type RelayCase = { relays: number; shards: number };

export type RelayResult = RelayCase & {
  eventsPerSecond: number;
  /** CPU of this process and of Postgres. */
  cpuUsPerEvent: number;
  statementsPerThousand: number;
};

type Bench = { stack: Stack; enterprises: readonly number[]; events: number };

async function writeEvents({ stack, enterprises, events }: Bench): Promise<void> {
  await stack.db.raw(
    `WITH written AS (
       INSERT INTO events (event_id, enterprise_id, object, event, object_id, key, body)
       SELECT 'evt_' || gen_random_uuid(), (CAST(:enterprises AS bigint[]))[1 + n % CAST(:count AS integer)], 'ticket',
         'update', n, 'ticket:' || n,
         '{"event":"update","time":1,"object":"ticket","objectId":1,"props":{"state":"invited"}}'
       FROM generate_series(1, CAST(:events AS integer)) AS n RETURNING id, occurred_at, enterprise_id
     )
     INSERT INTO outbox (event_row_id, occurred_at, enterprise_id)
     SELECT id, occurred_at, enterprise_id FROM written`,
    { enterprises: [...enterprises], count: enterprises.length, events },
  );
}

function openRelay(db: Db, shardCount: number): Relay {
  const limits = { closed: [], maxInFlight: 96, mayProbe: false, reservedMs: 0 };
  return createRelay({
    db,
    shardCount,
    dispatcher: { limits: () => ({ ...limits, now: new Date() }), dispatch: async () => undefined },
    log: createLogger("error", "bench"),
    faultPoint: () => undefined,
    onEvents: () => undefined,
    onPending: () => undefined,
  });
}

async function isDrained(db: Db): Promise<boolean> {
  return (await rowsOf(db, "SELECT 1 FROM outbox LIMIT 1")).length === 0;
}

async function drainWith(relay: Relay, db: Db): Promise<void> {
  while ((await relay.runOnce()) > 0 || !(await isDrained(db))) {
    // The loop condition runs the next batch.
  }
}

async function measureOnce(bench: Bench, one: RelayCase): Promise<RelayResult> {
  const { stack, events } = bench;
  await writeEvents(bench);
  await calmDown(stack);
  let statements = 0;
  const pools = Array.from({ length: one.relays }, () =>
    openPool({ url: stack.databaseUrl, maxConnections: 4, name: "relay", isIndexedOnly: true }),
  );
  pools.forEach((db) => (db.client as NodeJS.EventEmitter).on("query", () => (statements += 1)));
  const relays = pools.map((db) => openRelay(db, one.shards));
  const serverBefore = cpuMs(stack.postgresPid, true);
  const clientBefore = process.cpuUsage();
  const startedAt = nowMs();
  await Promise.all(relays.map((relay, index) => drainWith(relay, pools[index] as Db)));
  const wallMs = nowMs() - startedAt;
  const { user, system } = process.cpuUsage(clientBefore);
  const serverMs = cpuMs(stack.postgresPid, true) - serverBefore;
  await Promise.all(pools.map((db) => db.destroy()));
  await stack.db.raw("DELETE FROM deliveries");
  return {
    ...one,
    eventsPerSecond: (events / wallMs) * 1_000,
    cpuUsPerEvent: (user + system + serverMs * 1_000) / events,
    statementsPerThousand: (statements / events) * 1_000,
  };
}

const cases: readonly RelayCase[] = [
  { relays: 1, shards: 1 },
  { relays: 1, shards: 4 },
  { relays: 2, shards: 4 },
];

/** Medians over several rounds, in which the cases alternate. No role may be running. */
export async function measureRelays(
  stack: Stack,
  { rounds, events, enterprises }: { rounds: number; events: number; enterprises: number },
): Promise<RelayResult[]> {
  const ids: number[] = [];
  for (let index = 0; index < enterprises; index += 1) {
    ids.push(await subscribe(stack, ["http://127.0.0.1:9/hook"]));
  }
  const bench = { stack, enterprises: ids, events };
  await measureOnce(bench, { relays: 1, shards: 1 }); // warm-up
  const measured = cases.map(() => [] as RelayResult[]);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, one] of cases.entries()) {
      measured[index]?.push(await measureOnce(bench, one));
    }
  }
  return measured.map((results) => medianOfAll(results));
}
