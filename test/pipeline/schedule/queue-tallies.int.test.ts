import { expect } from "chai";
import { deleteOldQueueSums, readRates } from "../../../src/pipeline/schedule/queue-tallies.ts";
import { openPool, rowsOf, type Queryable } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, mostRead } from "../../support/explain.ts";
import { useTallies } from "../../support/tallies.ts";

type Row = { at: Date; object: string; made: number; delivered: number; failed: number };

describe("the rates of queues", () => {
  const database = useDatabase();
  const harness = useTallies(database);
  const { start, clock, after, attempt, tally } = harness;
  beforeEach("clear the tallies of earlier tests", async () => {
    await tally();
    await rowsOf(database.db, "DELETE FROM queue_tallies");
  });
  /** Creates deliveries without attempts. */
  const make = (
    db: Queryable,
    object: string,
    at: Date,
    { count = 1, state = "pending" }: { count?: number; state?: string } = {},
  ) =>
    rowsOf(
      db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at, created_at)
       SELECT ?, ?, 1000 + nextval('events_id_seq'), nextval('events_id_seq'), now(), ?,
         'ticket:' || n, ?, now(), ?
       FROM generate_series(1, ?::integer) AS n`,
      [harness.owner.enterpriseId, harness.owner.subscriptionId, object, state, at, count],
    );
  const rows = (): Promise<Row[]> =>
    rowsOf(
      database.db,
      "SELECT at, object, made, delivered, failed FROM queue_tallies ORDER BY at, object",
    );
  const sums = async (): Promise<string[]> =>
    (await rows())
      .filter(({ at }) => at < after(3_600_000))
      .map(
        ({ at, object, made, delivered, failed }) =>
          `${(at.getTime() - start.getTime()) / 1_000} ${object} ${made} ${delivered} ${failed}`,
      );

  it("counts created, delivered and failed deliveries by object and interval", async () => {
    await make(database.db, "ticket", after(2_000), { count: 3 });
    await make(database.db, "media", after(4_000), { count: 2 });
    await make(database.db, "media", after(12_000));
    await attempt(1_000);
    await attempt(2_000, { status: 500 });
    // A request of twelve seconds is counted when it ends.
    await attempt(3_000, { status: null, failure: "timeout_response", ms: 12_000 });
    await tally();
    expect(await sums()).to.deep.equal([
      ...["0 media 2 0 0", "0 ticket 3 1 1", "10 media 1 0 0", "10 ticket 0 0 1"],
    ]);
  });

  it("counts each once, for any number of runs and processes", async () => {
    await make(database.db, "ticket", after(1_000), { count: 5 });
    await Promise.all([tally(), tally(), tally()]);
    await tally();
    expect(await sums()).to.deep.equal(["0 ticket 5 0 0"]);
    await make(database.db, "ticket", after(2_000));
    await tally();
    expect(await sums()).to.deep.equal(["0 ticket 6 0 0"]);
  });

  it("finds deliveries that are committed after ones with higher ids", async () => {
    const other = openPool({ url: database.url, maxConnections: 1, name: "late" });
    try {
      const late = await other.transaction();
      await make(late, "media", after(1_000), { count: 2 });
      await make(database.db, "ticket", after(1_000));
      await tally();
      expect(await sums()).to.deep.equal(["0 ticket 1 0 0"]);
      await late.commit();
      await tally();
      expect(await sums()).to.deep.equal(["0 media 2 0 0", "0 ticket 1 0 0"]);
    } finally {
      await other.destroy();
    }
  });

  it("counts nothing twice after a crash before the commit", async () => {
    await make(database.db, "ticket", after(1_000));
    await attempt(1_000);
    await harness.tallyAndDie();
    expect(await rows()).to.deep.equal([]);
    await tally();
    expect(await sums()).to.deep.equal(["0 ticket 1 1 0"]);
  });

  it("omits pulled deliveries, which enter no queue", async () => {
    await make(database.db, "ticket", after(1_000), { count: 2, state: "available" });
    await tally();
    expect(await sums()).to.deep.equal([]);
  });

  it("returns rates per second of the last complete minute", async () => {
    await make(database.db, "ticket", after(500), { count: 30 }); // before the counted minute
    await make(database.db, "ticket", after(12_000), { count: 6 });
    await make(database.db, "ticket", after(69_000), { count: 6 });
    await make(database.db, "ticket", after(71_000), { count: 30 }); // after the counted minute
    await attempt(15_000);
    await attempt(16_000, { status: 503 });
    clock.set(after(84_000));
    await tally();
    const { until, seconds, queues, attemptsPerSecond, failedPerSecond } = await readRates(
      database.db,
    );
    expect([until, seconds]).to.deep.equal([after(70_000), 60]);
    expect(queues).to.deep.equal([
      { object: "ticket", made: 0.2, delivered: 0.017, failed: 0.017 },
    ]);
    expect([attemptsPerSecond, failedPerSecond]).to.deep.equal([0.033, 0.017]);
  });

  it("keeps and reports its period while nothing is counted", async () => {
    clock.set(after(84_000));
    await tally();
    clock.set(after(600_000));
    expect((await readRates(database.db)).until).to.deep.equal(after(70_000));
    await tally();
    expect((await readRates(database.db)).until).to.deep.equal(after(590_000));
  });

  it("reads a few rows, however much was counted before", async () => {
    await rowsOf(
      database.db,
      `INSERT INTO queue_tallies (at, object, made, delivered, failed)
       SELECT CAST(? AS timestamptz) - n * interval '10 seconds', object, 1, 1, 0
       FROM generate_series(1, 3000) AS n,
         unnest('{ticket,media,conversation,smsmessage,conversationevent}'::text[]) AS object`,
      [start],
    );
    await rowsOf(database.db, "ANALYZE queue_tallies");
    await rowsOf(database.db, "UPDATE delivery_tally_progress SET tallied_at = ?", [start]);
    const plan = await explain(database.db, (db) => readRates(db).catch(() => undefined));
    expect(plan).to.match(/Index.* Scan .*queue_tallies_pkey/u);
    expect(mostRead(plan)).to.be.at.most(60);
  });

  it("deletes old intervals, and adds nothing to them", async () => {
    await attempt(1_000);
    await tally();
    clock.advance(7 * 3_600_000);
    await deleteOldQueueSums(database.db, clock.now());
    expect(await sums()).to.deep.equal([]);
    await attempt(2_000);
    await tally();
    expect(await sums()).to.deep.equal([]);
  });
});
