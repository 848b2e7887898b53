import { expect } from "chai";
import {
  deleteOldRows,
  dropPartitions,
  makePartitions,
  type RetentionDeps,
} from "../../../src/pipeline/schedule/retention.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createMetrics } from "../../../src/platform/metrics.ts";
import { createTestClock, stopAfter } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

describe("contents of enterprises with a shorter retention", () => {
  const database = useDatabase();
  const start = new Date("2027-09-01T12:00:00Z");

  beforeEach(async () => {
    await rowsOf(
      database.db,
      "TRUNCATE deliveries, replays, outbox, outbox_dead, events, attempts",
    );
    await rowsOf(database.db, "UPDATE enterprises SET payload_days = NULL, log_days = NULL");
  });

  const setUp = () => {
    const deps = {
      db: database.db,
      clock: createTestClock(start),
      log: createLogger("silent", "test"),
      metrics: createMetrics(),
      retentionDays: 30,
    } satisfies RetentionDeps;
    return deps;
  };
  /** Runs all retention passes of one day. */
  const runAll = async (deps: RetentionDeps) => {
    await makePartitions(deps);
    await deleteOldRows(deps);
    await dropPartitions(deps);
  };

  type Made = { enterprise: number; event: number; delivery: number };

  /** An enterprise with one event and one delivery in the given state. */
  const aDelivered = async (
    columns: { payload_days?: number; log_days?: number },
    { state = "delivered", at = start }: { state?: string; at?: Date } = {},
  ): Promise<Made> => {
    const { id: enterprise_id } = await anEnterprise(database.db, columns);
    const subscription = await aSubscription(database.db, { enterprise_id });
    const event = await anEvent(database.db, { enterprise_id, occurred_at: at });
    await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
    const [delivery] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, attempts, due_at, created_at)
       VALUES (?, ?, 1, ?, ?, 'ticket', ?, ?, 1, ?, ?) RETURNING id`,
      [enterprise_id, subscription.id, event.id, at, event.key, state, at, at],
    );
    const made = { enterprise: enterprise_id, event: event.id, delivery: delivery?.id ?? 0 };
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms,
         response_body)
       SELECT enterprise_id, ?, id, 1, 1, 'ok' FROM deliveries WHERE id = ?`,
      [at, made.delivery],
    );
    return made;
  };
  const scanFrom = async ({ event, delivery }: Made) => {
    const [row] = await rowsOf<{ body: string | null; delivery: number; attempts: number }>(
      database.db,
      `SELECT (SELECT body FROM events WHERE id = ?) AS body,
         (SELECT count(*) FROM deliveries WHERE id = ?) AS delivery,
         (SELECT count(*) FROM attempts WHERE delivery_id = ?) AS attempts`,
      [event, delivery, delivery],
    );
    const body = row?.body ?? null;
    const content = body === null ? "gone" : body === "" ? "empty" : "kept";
    return `${content}, delivery ${row?.delivery}, attempts ${row?.attempts}`;
  };

  it("are removed by the retention of each enterprise", async () => {
    const deps = setUp();
    await makePartitions(deps);
    const short = await aDelivered({ payload_days: 2, log_days: 5 });
    const long = await aDelivered({ payload_days: 60, log_days: 90 });
    const usual = await aDelivered({});
    const seen: Record<number, string[]> = {};
    for (const day of [2, 3, 5, 6, 30, 31, 60, 61, 90, 91]) {
      deps.clock.set(new Date(start.getTime() + day * dayMs));
      await runAll(deps);
      seen[day] = [await scanFrom(short), await scanFrom(usual), await scanFrom(long)];
    }
    const all = "kept, delivery 1, attempts 1";
    const logOnly = "empty, delivery 1, attempts 1";
    const nothing = "empty, delivery 0, attempts 0";
    expect(seen[2]).to.deep.equal([all, all, all]);
    expect(seen[3]).to.deep.equal([logOnly, all, all]);
    expect(seen[5]?.slice(1)).to.deep.equal([all, all]);
    expect(seen[6]).to.deep.equal([nothing, all, all]);
    expect(seen[30]?.slice(1)).to.deep.equal([all, all]);
    expect(seen[31]).to.deep.equal([nothing, nothing, all]);
    expect(seen[60]?.[2]).to.equal(all);
    expect(seen[61]?.[2]).to.equal(logOnly);
    expect(seen[91]).to.deep.equal(Array(3).fill("gone, delivery 0, attempts 0"));
  });

  it("are left to the drop of partitions if all have the same retention", async () => {
    const deps = setUp();
    await makePartitions(deps);
    const one = await aDelivered({});
    deps.clock.advance(31 * dayMs);
    await deleteOldRows(deps);
    expect(await scanFrom(one)).to.equal("kept, delivery 0, attempts 1");
    await dropPartitions(deps);
    expect(await scanFrom(one)).to.equal("gone, delivery 0, attempts 0");
  });

  for (const state of ["pending", "queued", "sending", "retry", "paused"]) {
    it(`stay while a delivery is ${state}, and go when it has ended`, async () => {
      const deps = setUp();
      await makePartitions(deps);
      const live = await aDelivered({ payload_days: 1, log_days: 4 }, { state });
      deps.clock.advance(40 * dayMs);
      await runAll(deps);
      expect(await scanFrom(live)).to.equal("kept, delivery 1, attempts 1");
      await rowsOf(database.db, "UPDATE deliveries SET state = 'dead' WHERE id = ?", [
        live.delivery,
      ]);
      deps.clock.advance(7 * hourMs);
      await deleteOldRows(deps);
      expect(await scanFrom(live)).to.equal("empty, delivery 0, attempts 0");
      await dropPartitions(deps);
      expect(await scanFrom(live)).to.equal("gone, delivery 0, attempts 0");
    });
  }

  it("are kept while the event is in the outbox, or a replay needs it", async () => {
    const deps = setUp();
    await makePartitions(deps);
    const waiting = await aDelivered({ payload_days: 1 });
    await rowsOf(
      database.db,
      `INSERT INTO outbox (event_row_id, occurred_at, enterprise_id)
       SELECT id, occurred_at, enterprise_id FROM events`,
    );
    deps.clock.advance(10 * dayMs);
    await deleteOldRows(deps);
    expect(await scanFrom(waiting)).to.match(/^kept/u);
    await rowsOf(database.db, "DELETE FROM outbox");
    const [replay] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
         last_sequence, last_event_row_id, created_at)
       SELECT enterprise_id, subscription_id, 'done', '{}', 10, 'events', 0, 0, ?
       FROM deliveries RETURNING id`,
      [start],
    );
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at, replay_id)
       SELECT enterprise_id, subscription_id, 2, event_row_id, event_at, object, key, 'pending', due_at, ?
       FROM deliveries`,
      [replay?.id],
    );
    deps.clock.advance(2 * hourMs);
    await deleteOldRows(deps);
    expect(await scanFrom(waiting)).to.match(/^kept/u);
    await rowsOf(database.db, "UPDATE deliveries SET state = 'available'");
    deps.clock.advance(2 * hourMs);
    await deleteOldRows(deps);
    expect(await scanFrom(waiting)).to.match(/^empty/u);
  });

  it("are removed from where a pass was interrupted, in any process", async () => {
    const deps = setUp();
    await makePartitions(deps);
    const { enterprise } = await aDelivered({ payload_days: 1 });
    await rowsOf(
      database.db,
      `INSERT INTO events (occurred_at, event_id, enterprise_id, object, event, object_id, key, body)
       SELECT ?, 'evt_' || n, ?, 'ticket', 'create', n, 'ticket:' || n, 'content'
       FROM generate_series(1, 7000) AS n`,
      [start, enterprise],
    );
    const left = async () =>
      (
        await rowsOf<{ n: number }>(
          database.db,
          "SELECT count(*) AS n FROM events WHERE body <> ''",
        )
      )[0]?.n;
    deps.clock.advance(3 * dayMs);
    await deleteOldRows(deps, stopAfter(3));
    const afterFirst = (await left()) ?? 0;
    expect(afterFirst).to.be.within(1, 6_999);
    await deleteOldRows({ ...deps });
    expect(await left()).to.equal(0);
  });

  it("are scanned again when an enterprise shortens its retention", async () => {
    const deps = setUp();
    await makePartitions(deps);
    const first = await aDelivered({ payload_days: 3 });
    const second = await aDelivered({});
    deps.clock.advance(10 * dayMs);
    await deleteOldRows(deps);
    expect(
      [await scanFrom(first), await scanFrom(second)].map((one) => one.slice(0, 4)),
    ).to.deep.equal(["empt", "kept"]);
    await rowsOf(database.db, "UPDATE enterprises SET payload_days = 3 WHERE id = ?", [
      second.enterprise,
    ]);
    await deleteOldRows(deps);
    expect(await scanFrom(second)).to.match(/^empty/u);
  });

  it("are not scanned again on finished days", async () => {
    const deps = setUp();
    await makePartitions(deps);
    await aDelivered({ payload_days: 3 });
    deps.clock.advance(10 * dayMs);
    await deleteOldRows(deps);
    const statements: string[] = [];
    const listen = ({ sql }: { sql: string }) => statements.push(sql);
    database.db.on("query", listen);
    await deleteOldRows(deps);
    database.db.removeListener("query", listen);
    expect(statements.filter((sql) => sql.includes("events_2027"))).to.deep.equal([]);
  });

  it("include replays without kept deliveries", async () => {
    const deps = setUp();
    const { id: enterprise_id } = await anEnterprise(database.db, { log_days: 10 });
    const { id: subscription } = await aSubscription(database.db, { enterprise_id });
    const aReplay = async (state: string) => {
      const [row] = await rowsOf<{ id: number }>(
        database.db,
        `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
           last_sequence, last_event_row_id, created_at)
         VALUES (?, ?, ?, '{}', 10, 'events', 0, 0, ?) RETURNING id`,
        [enterprise_id, subscription, state, start],
      );
      return row?.id ?? 0;
    };
    const made = [await aReplay("done"), await aReplay("paused"), await aReplay("cancelled")];
    const [, running, referred] = made;
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at, replay_id)
       VALUES (?, ?, 1, 1, ?, 'ticket', 'ticket:1', 'paused', ?, ?)`,
      [enterprise_id, subscription, start, start, referred],
    );
    const ids = async () =>
      (await rowsOf<{ id: number }>(database.db, "SELECT id FROM replays ORDER BY id")).map(
        ({ id }) => id,
      );
    deps.clock.advance(9 * dayMs);
    await deleteOldRows(deps);
    expect(await ids()).to.deep.equal(made);
    deps.clock.advance(2 * dayMs);
    await deleteOldRows(deps);
    expect(await ids()).to.deep.equal([running, referred]);
  });
});
