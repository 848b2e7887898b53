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
import { fillDeliveries } from "../../support/explain.ts";
import { anEnterprise, anEvent, aSubscription, aUser } from "../../support/factories.ts";
import { fanOutAll, readLedger } from "../../support/ledger.ts";
import { refusal } from "../../support/refusal.ts";
import { whileRefused } from "../../support/refused-statements.ts";

const dayMs = 86_400_000;

describe("retention", () => {
  const database = useDatabase();
  const start = new Date("2027-03-01T12:00:00Z");

  const setUp = (now = start): RetentionDeps & { clock: ReturnType<typeof createTestClock> } => ({
    db: database.db,
    clock: createTestClock(now),
    log: createLogger("silent", "test"),
    metrics: createMetrics(),
    retentionDays: 30,
  });
  const partitions = async () =>
    (
      await rowsOf<{ name: string }>(
        database.db,
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         JOIN pg_class p ON p.oid = i.inhparent WHERE p.relname IN ('events', 'attempts')
           AND c.relname LIKE '%2027%' ORDER BY 1`,
      )
    ).map((row) => row.name);

  it("creates the partitions of today and the next three days, and can be repeated", async () => {
    const deps = setUp();
    await Promise.all([makePartitions(deps), makePartitions(deps)]);
    await makePartitions(deps);
    expect(await partitions()).to.deep.equal([
      ...["attempts", "events"].flatMap((table) =>
        ["01", "02", "03", "04"].map((day) => `${table}_202703${day}`),
      ),
    ]);
  });

  it("drops a day when all of it is past retention, not earlier", async () => {
    const deps = setUp();
    await makePartitions(deps);
    deps.clock.set(new Date(start.getTime() + 30 * dayMs));
    await dropPartitions(deps);
    expect(await partitions()).to.include("events_20270301");
    deps.clock.advance(dayMs);
    await dropPartitions(deps);
    expect(await partitions()).to.not.include("events_20270301");
    expect(await partitions()).to.not.include("attempts_20270301");
    expect(await partitions()).to.include("events_20270302");
  });

  it("keeps the day of an undelivered event, at any age", async () => {
    const deps = setUp();
    await makePartitions(deps);
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id, occurred_at: start });
    deps.clock.set(new Date(start.getTime() + 100 * dayMs));
    await dropPartitions(deps);
    expect(await partitions()).to.include("events_20270301");
    await fanOutAll(database.db);
    await dropPartitions(deps);
    expect(await partitions()).to.include("events_20270301");
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'delivered' WHERE subscription_id = ?",
      [id],
    );
    await dropPartitions(deps);
    expect(await partitions()).to.not.include("events_20270301");
  });

  it("deletes ended deliveries past retention, and never a live one", async () => {
    const deps = setUp(new Date());
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    for (let i = 0; i < 3; i += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    await fanOutAll(database.db);
    await rowsOf(
      database.db,
      `UPDATE deliveries SET created_at = now() - interval '31 days',
         state = (ARRAY['delivered', 'dead', 'retry'])[sequence] WHERE subscription_id = ?`,
      [id],
    );
    await deleteOldRows(deps);
    expect((await readLedger(database.db, id)).map((row) => row.state)).to.deep.equal(["retry"]);
  });

  describe("with many rows", () => {
    const aBacklog = async (states: readonly (readonly [string, number])[]) => {
      await rowsOf(database.db, "TRUNCATE deliveries RESTART IDENTITY");
      const { id: enterprise_id } = await anEnterprise(database.db);
      const { id } = await aSubscription(database.db, { enterprise_id });
      const createdAt = new Date(Date.now() - 31 * dayMs);
      for (const [state, count] of states) {
        await fillDeliveries(database.db, id, { state, count, keys: count, createdAt });
      }
      return id;
    };
    const countsOf = (id: number) =>
      rowsOf(
        database.db,
        `SELECT state, count(*) AS count FROM deliveries WHERE subscription_id = ?
         GROUP BY state ORDER BY state`,
        [id],
      );

    it("takes as many batches as it needs in one pass", async () => {
      const id = await aBacklog([["delivered", 12_000]]);
      expect(await deleteOldRows(setUp(new Date()))).to.equal(12_000);
      expect(await countsOf(id)).to.deep.equal([]);
    });

    it("skips old live deliveries", async () => {
      const id = await aBacklog([
        ["paused", 5_500],
        ["dead", 300],
      ]);
      expect(await deleteOldRows(setUp(new Date()))).to.equal(300);
      expect(await countsOf(id)).to.deep.equal([{ state: "paused", count: 5_500 }]);
    });

    it("keeps recent rows at any position", async () => {
      const id = await aBacklog([["delivered", 5_500]]);
      await fillDeliveries(database.db, id, { state: "delivered", count: 10, keys: 10 });
      expect(await deleteOldRows(setUp(new Date()))).to.equal(5_500);
      expect(await countsOf(id)).to.deep.equal([{ state: "delivered", count: 10 }]);
    });

    it("ends the pass early when the process stops; the next one continues", async () => {
      const id = await aBacklog([["delivered", 12_000]]);
      expect(await deleteOldRows(setUp(new Date()), stopAfter(1))).to.equal(5_000);
      expect(await countsOf(id)).to.deep.equal([{ state: "delivered", count: 7_000 }]);
      expect(await deleteOldRows(setUp(new Date()))).to.equal(7_000);
    });
  });

  describe("of tokens and idempotency keys", () => {
    const now = new Date();
    const fillExpired = async (count: number) => {
      const { id: enterpriseId } = await anEnterprise(database.db);
      const { id: userId } = await aUser(database.db, { enterprise_id: enterpriseId });
      await rowsOf(
        database.db,
        `INSERT INTO tokens (hash, enterprise_id, user_id, kind, family, expires_at)
         SELECT decode(md5(n::text), 'hex'), ?, ?, 'access', gen_random_uuid(), expires_at
         FROM generate_series(0, ?) AS n,
           LATERAL (SELECT ?::timestamptz + CASE n WHEN 0 THEN interval '1 hour'
             ELSE interval '-1 second' END AS expires_at) AS e`,
        [enterpriseId, userId, count, now],
      );
      await rowsOf(
        database.db,
        `INSERT INTO idempotency_keys (enterprise_id, user_id, key, request_hash, created_at)
         SELECT ?, ?, n::text, '', ?::timestamptz - CASE n WHEN 0 THEN interval '23 hours'
           ELSE interval '25 hours' END
         FROM generate_series(0, ?) AS n`,
        [enterpriseId, userId, now, count],
      );
    };
    const countsOf = async () =>
      (
        await rowsOf(
          database.db,
          `SELECT (SELECT count(*) FROM tokens) AS tokens,
             (SELECT count(*) FROM idempotency_keys) AS keys`,
        )
      )[0];
    beforeEach(async () => {
      await rowsOf(database.db, "TRUNCATE deliveries, tokens, idempotency_keys");
    });

    it("deletes the expired ones in batches", async () => {
      await fillExpired(5_500);
      const statements: string[] = [];
      const listen = ({ sql }: { sql: string }) => {
        if (/DELETE FROM (?:tokens|idempotency_keys)/u.test(sql)) {
          statements.push(sql);
        }
      };
      database.db.on("query", listen);
      await deleteOldRows(setUp(now));
      database.db.removeListener("query", listen);
      expect(await countsOf()).to.deep.equal({ tokens: 1, keys: 1 });
      expect(statements).to.have.length(4);
    });

    it("keeps no other kind from running if one fails, and fails at the end", async () => {
      await fillExpired(10);
      const { id: enterprise_id } = await anEnterprise(database.db);
      const { id } = await aSubscription(database.db, { enterprise_id });
      const createdAt = new Date(now.getTime() - 31 * dayMs);
      const state = "delivered";
      await fillDeliveries(database.db, id, { state, count: 5, keys: 5, createdAt });
      await whileRefused(database.db, { statement: "DELETE ON tokens" }, async () => {
        expect(await refusal(deleteOldRows(setUp(now)))).to.equal("P0001");
      });
      expect(await readLedger(database.db, id)).to.deep.equal([]);
      expect(await countsOf()).to.deep.equal({ tokens: 11, keys: 1 });
      await deleteOldRows(setUp(now));
      expect(await countsOf()).to.deep.equal({ tokens: 1, keys: 1 });
    });
  });

  it("deletes expired rows from the default partitions", async () => {
    const now = new Date("2020-06-01T00:00:00Z");
    await rowsOf(database.db, "TRUNCATE deliveries, outbox, events, attempts");
    const { id: enterprise_id } = await anEnterprise(database.db);
    const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
    for (const days of [50, 40, 10]) {
      await anEvent(database.db, { enterprise_id, occurred_at: daysAgo(days) });
    }
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms)
       SELECT 1, started_at, 1, 1, 1 FROM unnest(?::timestamptz[]) AS started_at`,
      [[daysAgo(31), daysAgo(29)]],
    );
    const counts = async () =>
      (
        await rowsOf(
          database.db,
          `SELECT (SELECT count(*) FROM events_default) AS events,
             (SELECT count(*) FROM attempts_default) AS attempts`,
        )
      )[0];
    await rowsOf(database.db, "DELETE FROM outbox WHERE occurred_at <> ?", [daysAgo(40)]);
    await deleteOldRows(setUp(now));
    // As with whole partitions, nothing is deleted that is newer than the oldest event in use.
    expect(await counts()).to.deep.equal({ events: 2, attempts: 2 });
    await rowsOf(database.db, "DELETE FROM outbox");
    await deleteOldRows(setUp(now));
    expect(await counts()).to.deep.equal({ events: 1, attempts: 1 });
  });
});
