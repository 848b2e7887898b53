import { expect } from "chai";
import {
  dropPartitionsFor,
  makePartitionsFor,
  type PartitionDeps,
  readRetentionSettings,
} from "../../../src/pipeline/schedule/partitions.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createMetrics } from "../../../src/platform/metrics.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent } from "../../support/factories.ts";

const dayMs = 86_400_000;

describe("partitions", () => {
  const database = useDatabase();
  const noon = new Date("2027-06-10T12:00:00Z");
  let enterprise_id: number;
  let clock: TestClock;
  let metrics: ReturnType<typeof createMetrics>;
  let deps: PartitionDeps;

  beforeEach(async () => {
    const days = await partitions();
    for (const name of days) {
      await rowsOf(database.db, `DROP TABLE ${name}`);
    }
    await rowsOf(database.db, "TRUNCATE deliveries, outbox, outbox_dead, events, attempts");
    await rowsOf(database.db, "UPDATE enterprises SET payload_days = NULL, log_days = NULL");
    enterprise_id = (await anEnterprise(database.db)).id;
    clock = createTestClock(noon);
    metrics = createMetrics();
    deps = { db: database.db, clock, log: createLogger("silent", "test"), metrics };
  });

  const readSettings = () => readRetentionSettings(database.db, 30);
  const make = async () => makePartitionsFor(deps, await readSettings());
  const drop = async () => dropPartitionsFor(deps, await readSettings());
  const partitions = async () =>
    (
      await rowsOf<{ name: string }>(
        database.db,
        `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         JOIN pg_class p ON p.oid = i.inhparent
         WHERE p.relname IN ('events', 'attempts') AND c.relname NOT LIKE '%default' ORDER BY 1`,
      )
    ).map(({ name }) => name);
  const placesOf = async () =>
    rowsOf<{ place: string; count: number }>(
      database.db,
      `SELECT tableoid::regclass::text AS place, count(*) AS count FROM events GROUP BY 1 ORDER BY 1`,
    );
  const gauge = async (name: string) => {
    const { text } = await metrics.render();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };
  const at = (text: string) => new Date(text);
  const anAttempt = (startedAt: Date) =>
    rowsOf(
      database.db,
      "INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms) VALUES (1, ?, 1, 1, 1)",
      [startedAt],
    );

  it("moves today's rows out of the default partition and creates the next partitions", async () => {
    const first = await anEvent(database.db, { enterprise_id, occurred_at: noon, body: "first" });
    await anAttempt(noon);
    await make();
    expect(await placesOf()).to.deep.equal([{ place: "events_20270610", count: 1 }]);
    const [found] = await rowsOf<{ body: string }>(
      database.db,
      "SELECT body FROM events WHERE id = ? AND occurred_at = ?",
      [first.id, noon],
    );
    expect(found?.body).to.equal("first");
    await anEvent(database.db, { enterprise_id, occurred_at: noon });
    await anAttempt(noon);
    expect(await placesOf()).to.deep.equal([{ place: "events_20270610", count: 2 }]);
    expect(await gauge('webhook_default_partition_rows{table="attempts"}')).to.equal(0);
    const indexes = await rowsOf(
      database.db,
      `SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE c.relkind = 'i' AND c.relname LIKE 'events_20270610%'`,
    );
    expect(indexes).to.have.lengthOf(4);
  });

  it("moves each past day without a partition into its own", async () => {
    for (const day of ["06-07", "06-08", "06-08", "06-10"]) {
      await anEvent(database.db, { enterprise_id, occurred_at: at(`2027-${day}T23:59:59Z`) });
    }
    await make();
    expect(await placesOf()).to.deep.equal([
      { place: "events_20270607", count: 1 },
      { place: "events_20270608", count: 2 },
      { place: "events_20270610", count: 1 },
    ]);
  });

  it("moves more rows than one batch", async () => {
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms)
       SELECT 1, CAST(? AS timestamptz) + n * interval '1 second', n, 1, 1
       FROM generate_series(1, 12000) AS n`,
      [at("2027-06-08T01:00:00Z")],
    );
    await make();
    const [row] = await rowsOf(
      database.db,
      "SELECT count(*) AS count, count(DISTINCT delivery_id) AS single FROM attempts_20270608",
    );
    expect(row).to.deep.equal({ count: 12_000, single: 12_000 });
    expect(await gauge('webhook_default_partition_rows{table="attempts"}')).to.equal(0);
  });

  it("does not block today's writers for long: many rows wait until the day is over", async () => {
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms)
       SELECT 1, ?, n, 1, 1 FROM generate_series(1, 20001) AS n`,
      [noon],
    );
    await make();
    expect(await partitions()).to.not.include("attempts_20270610");
    expect(await partitions()).to.include("attempts_20270611");
    expect(await gauge('webhook_partition_days_ahead{table="attempts"}')).to.equal(0);
    expect(await gauge('webhook_default_partition_rows{table="attempts"}')).to.equal(10_000);
    clock.set(at("2027-06-11T00:30:00Z"));
    await make();
    expect(await partitions(), "a transaction may still write").to.not.include("attempts_20270610");
    clock.set(at("2027-06-11T01:00:00Z"));
    await make();
    expect(await partitions()).to.include("attempts_20270610");
    expect(await gauge('webhook_default_partition_rows{table="attempts"}')).to.equal(0);
  });

  it("stops if the table is locked, loses nothing, and continues at the next pass", async () => {
    await anEvent(database.db, { enterprise_id, occurred_at: noon });
    const writer = await database.db.transaction();
    await rowsOf(writer, "LOCK TABLE events_default IN ROW EXCLUSIVE MODE");
    await rowsOf(writer, "LOCK TABLE events IN ROW EXCLUSIVE MODE");
    await make();
    expect(await placesOf()).to.deep.equal([{ place: "events_default", count: 1 }]);
    expect(await gauge('webhook_default_partition_rows{table="events"}')).to.equal(1);
    await writer.commit();
    await make();
    expect(await placesOf()).to.deep.equal([{ place: "events_20270610", count: 1 }]);
  });

  it("refuses no row while a partition is created from the default one", async () => {
    // The default partition has rows of a distant day, which delays the attachment of that day's
    // partition.
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms)
       SELECT 1, '2031-01-01T00:00:00Z', n, 1, 1 FROM generate_series(1, 200000) AS n`,
    );
    await anAttempt(noon);
    let isMaking = true;
    let written = 1;
    const write = async () => {
      while (isMaking) {
        await anAttempt(noon);
        written += 1;
      }
    };
    const writers = Promise.all([write(), write(), write(), write()]);
    await make().finally(() => {
      isMaking = false;
    });
    await writers;
    const [row] = await rowsOf(database.db, "SELECT count(*) AS count FROM attempts_20270610");
    expect(row).to.deep.equal({ count: written });
  });

  it("reports how many days exist ahead, and how overdue the oldest is", async () => {
    await make();
    expect(await gauge('webhook_partition_days_ahead{table="events"}')).to.equal(3);
    expect(await gauge('webhook_partition_overdue_days{table="events"}')).to.equal(0);
    const stuck = await anEvent(database.db, { enterprise_id, occurred_at: noon });
    clock.advance(35 * dayMs);
    await drop();
    await make();
    expect(stuck.id).to.be.greaterThan(0);
    expect(await partitions()).to.include("events_20270610");
    expect(await gauge('webhook_partition_overdue_days{table="events"}')).to.equal(5);
  });

  it("drops a day only when no enterprise keeps it any longer", async () => {
    await make();
    await rowsOf(database.db, "UPDATE enterprises SET log_days = 40 WHERE id = ?", [enterprise_id]);
    clock.advance(31 * dayMs);
    await drop();
    expect(await partitions()).to.include.members(["events_20270610", "attempts_20270610"]);
    await rowsOf(
      database.db,
      "UPDATE enterprises SET log_days = NULL, payload_days = 40 WHERE id = ?",
      [enterprise_id],
    );
    await drop();
    expect(await partitions()).to.include("events_20270610");
    expect(await partitions()).to.not.include("attempts_20270610");
    clock.advance(10 * dayMs);
    await drop();
    expect(await partitions()).to.not.include("events_20270610");
  });

  it("keeps a dead letter that can be put back", async () => {
    await make();
    const event = await anEvent(database.db, { enterprise_id, occurred_at: noon });
    await rowsOf(
      database.db,
      `WITH gone AS (DELETE FROM outbox RETURNING *)
       INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
       SELECT event_row_id, occurred_at, enterprise_id, 'broken' FROM gone`,
    );
    clock.advance(50 * dayMs);
    await drop();
    expect(await partitions()).to.include("events_20270610");
    await rowsOf(database.db, "DELETE FROM outbox_dead WHERE event_row_id = ?", [event.id]);
    await drop();
    expect(await partitions()).to.not.include("events_20270610");
  });
});
