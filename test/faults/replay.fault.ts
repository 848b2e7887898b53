/**
 * A large replay survives `kill -9` of its worker, the schedule and the delivery workers: it
 * contains each event once, its sequences are contiguous, its counts are correct, and each event
 * reaches the receiver. `REPLAY_DELIVERIES` sets its size.
 */
import { expect } from "chai";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAudit } from "../../src/audit/audit-log.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { freePort } from "../support/free-port.ts";
import { createTasks } from "../../src/platform/tasks/task.ts";
import { parseCriteria } from "../../src/deliveries/replays/criteria.ts";
import { presentReplay } from "../../src/deliveries/replays/present.ts";
import { createReplays } from "../../src/deliveries/replays/service.ts";
import { backendEnvironment } from "../support/backends.ts";
import { useChance } from "../support/chance.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";
import { aReceivingSubscription } from "../support/pipeline.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { useRedis } from "../support/redis.ts";
import { hasNoGap } from "../support/replays.ts";
import { testKey } from "../support/secret-box.ts";
import { fastEnvironment, waitUntilReady } from "../support/stack.ts";
import { aCaller } from "../support/webhook-api.ts";

const files = {
  schedule: "workers/schedule.ts",
  delivery: "workers/delivery.ts",
  timers: "test/support/replay-process.ts",
} as const;
type Name = keyof typeof files;
const names = Object.keys(files) as Name[];

const deliveries = Number(process.env["REPLAY_DELIVERIES"] ?? (isNight ? 5_000 : 2_000));
const rate = 1_000;
/** A generous limit for a busy machine. */
const slowest = 100;

/** A receiver that answers immediately and only counts the requests per event. */
function useCounter() {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers["webhook-id"]);
    seen.set(id, (seen.get(id) ?? 0) + 1);
    request.resume();
    response.writeHead(204).end();
  });
  let url = "";
  before("start the receiver", async () => {
    server.keepAliveTimeout = 60_000;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  after("close the receiver", () => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, url: () => url };
}

describe(`a replay of ${deliveries} deliveries, killed half-way`, function () {
  this.timeout((120 + deliveries / slowest) * 1_000);
  const counter = useCounter();
  const processes = useProcesses();
  const database = useDatabase();
  const redis = useRedis();
  const chance = useChance();
  const running = new Map<Name, Process>();
  const start = async (name: Name): Promise<void> => {
    const port = String(await freePort());
    const env = {
      ...fastEnvironment,
      ...backendEnvironment("redis", database, redis),
      SECRET_KEY: testKey.toString("base64"),
      METRICS_PORT: port,
    };
    const one = processes.start({ name, file: files[name], env });
    await waitUntilReady(one, `http://127.0.0.1:${port}`);
    running.set(name, one);
  };
  before("start the processes", () => Promise.all(names.map(start)));

  const seed = async (sub: { id: number; enterprise_id: number }): Promise<void> => {
    await rowsOf(
      database.db,
      `WITH made AS (
         INSERT INTO events (occurred_at, event_id, enterprise_id, object, event, object_id, key,
           body)
         SELECT now() - interval '1 hour', 'evt_' || gen_random_uuid(), ?, 'ticket', 'update', n,
           'ticket:' || n % 5000, '{"event":"update","object":"ticket","props":{}}'
         FROM generate_series(1, ?) AS n
         RETURNING id, occurred_at, enterprise_id, key
       ), dead AS (
         INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
           object, key, state, attempts, due_at, created_at, ended_at, last_result)
         SELECT enterprise_id, ?, row_number() OVER (ORDER BY id), id, occurred_at, 'ticket', key,
           'dead', 10, occurred_at, occurred_at, occurred_at, '5xx'
         FROM made
       )
       UPDATE subscription_health SET last_sequence = ? WHERE subscription_id = ?`,
      [sub.enterprise_id, deliveries, sub.id, deliveries, sub.id],
    );
    await database.db.raw("ANALYZE events, deliveries");
  };

  it("delivers each event once, without a gap in its sequences, with correct counts", async () => {
    const admin = await aCaller(database.db);
    const sub = await aReceivingSubscription(database.db, {
      url: counter.url(),
      enterpriseId: admin.enterpriseId,
    });
    await seed(sub);
    const replays = createReplays({
      db: database.db,
      clock: systemClock,
      tasks: createTasks({ clock: systemClock, wake: () => undefined }),
      audit: createAudit(),
      onDue: () => undefined,
      retentionDays: 30,
    });
    const startedAt = performance.now();
    const input = { criteria: parseCriteria({ status: "dead" }, new Date()), rate };
    const { replay } = await replays.create(admin, sub.id, input);
    const read = async () => presentReplay(await replays.get(admin, replay.id), systemClock.now());
    const reach = (made: number) =>
      eventually(async () => expect((await read()).made).to.be.at.least(made), {
        timeoutMs: 60_000 + (deliveries / slowest) * 1_000,
        everyMs: 50,
      });

    const quarter = Math.floor(deliveries / 4);
    await reach(chance.between(quarter / 2, quarter));
    await Promise.all(names.map(async (name) => running.get(name)?.kill()));
    const killed = await read();
    expect(killed.state).to.equal("running");
    expect(killed.total).to.equal(deliveries);
    const [rows] = await rowsOf<{ made: number }>(
      database.db,
      "SELECT count(*) AS made FROM deliveries WHERE replay_id = ?",
      [replay.id],
    );
    expect(rows?.made).to.equal(killed.made);
    expect(killed.progress).to.be.within(0, 0.9);
    await Promise.all(names.map(start));
    await reach(3 * quarter);
    await running.get("timers")?.kill();
    await start("timers");

    await eventually(
      async () => {
        const { state, waiting } = await read();
        expect({ state, waiting }).to.deep.equal({ state: "done", waiting: 0 });
      },
      { timeoutMs: 90_000 + (deliveries / slowest) * 1_000, everyMs: 200 },
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stdout.write(`      ${deliveries} in ${seconds.toFixed(1)} s\n`);
    expect(await read()).to.include({
      total: deliveries,
      made: deliveries,
      skipped: 0,
      delivered: deliveries,
      dead: 0,
      progress: 1,
    });
    const [found] = await rowsOf(
      database.db,
      `SELECT count(*) AS rows, count(DISTINCT event_row_id) AS events,
         min(sequence) AS first, max(sequence) AS last FROM deliveries WHERE replay_id = ?`,
      [replay.id],
    );
    expect(found).to.deep.equal({
      rows: deliveries,
      events: deliveries,
      first: deliveries + 1,
      last: 2 * deliveries,
    });
    expect(await hasNoGap(database.db, sub.id)).to.equal(true);
    expect(counter.seen.size, "events that the receiver got").to.equal(deliveries);
  });
});
