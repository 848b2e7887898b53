import { expect } from "chai";
import { enqueueDue } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { lockHealth, readFreeWindows } from "../../../src/pipeline/ledger/health.ts";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../../src/pipeline/relay/subscription-rules.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits } from "../../support/ledger.ts";

describe("the earliest time at which a delivery of a subscription is due", () => {
  let pool: Db;
  after(() => pool.destroy()); // before the database is dropped
  const database = useDatabase();
  before(() => {
    pool = openPool({ url: database.url, maxConnections: 1, name: "test", isIndexedOnly: true });
  });
  const now = new Date("2026-11-22T10:00:00Z");
  const msAfter = (ms: number): Date => new Date(now.getTime() + ms);

  const aWindow = async (size: number) => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, {
      enterprise_id: enterpriseId,
      filters: ["*"],
    });
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET window_size = ? WHERE subscription_id = ?",
      [size, id],
    );
    /** Adds first attempts that are due one millisecond after the other. */
    const add = (count: number, dueAt: Date, first = 1) =>
      rowsOf(
        database.db,
        `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
           object, key, state, due_at)
         SELECT ?, ?, n, n, ?, 'ticket', 'ticket:' || n, 'pending',
           CAST(? AS timestamptz) + interval '1 ms' * (n - CAST(? AS integer))
         FROM generate_series(CAST(? AS integer), ?) AS n`,
        [enterpriseId, id, now, dueAt, first, first, first + count - 1],
      );
    const enqueue = async (at: Date): Promise<number> => {
      const enqueued = await inTransaction(pool, async (trx) => {
        await lockHealth(trx, [id]);
        return enqueueDue(trx, [id], openLimits(at));
      });
      return enqueued.length;
    };
    const readFree = (at: Date) =>
      inTransaction(pool, (trx) => readFreeWindows(trx, [id], openLimits(at)));
    const fanOutTwo = async (at: Date): Promise<void> => {
      await anEvent(database.db, { enterprise_id: enterpriseId, object_id: 1 });
      await anEvent(database.db, { enterprise_id: enterpriseId, object_id: 2 });
      await fanOut(pool, createSubscriptionSet(), { limit: 2, afterEventRowId: 0 }, openLimits(at));
    };
    const endQueued = () =>
      rowsOf(
        database.db,
        "UPDATE deliveries SET state = 'delivered' WHERE subscription_id = ? AND state = 'queued'",
        [id],
      );
    const endAll = () =>
      rowsOf(database.db, "UPDATE deliveries SET state = 'delivered' WHERE subscription_id = ?", [
        id,
      ]);
    const stored = async (): Promise<Date> => {
      const [row] = await rowsOf<{ at: Date }>(
        database.db,
        `SELECT earliest_due_at AS at FROM subscription_health WHERE subscription_id = ?`,
        [id],
      );
      return row!.at;
    };
    /** Where the health row is: each update moves it. */
    const version = async (): Promise<string> => {
      const [row] = await rowsOf<{ version: string }>(
        database.db,
        `SELECT CAST(ctid AS text) AS version FROM subscription_health WHERE subscription_id = ?`,
        [id],
      );
      return row!.version;
    };
    return { add, enqueue, readFree, fanOutTwo, endQueued, endAll, stored, version };
  };

  /** Pages of the index of what is due that were read while `work` ran. */
  const pagesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const read = async (): Promise<number> => {
      await rowsOf(pool, "SELECT pg_stat_force_next_flush()");
      const [row] = await rowsOf<{ pages: number }>(
        pool,
        `SELECT idx_blks_hit + idx_blks_read AS pages FROM pg_statio_user_indexes
         WHERE indexrelname = 'deliveries_first'`,
      );
      return row!.pages;
    };
    const before = await read();
    await work();
    return (await read()) - before;
  };

  it("saves a scan over what was sent since the last VACUUM", async () => {
    const { add, enqueue, endAll } = await aWindow(8);
    await add(4_000, msAfter(-60_000));
    await endAll();
    expect(await pagesOf(() => enqueue(now)), "all pages").to.be.greaterThan(15);
    expect(await pagesOf(() => enqueue(msAfter(600)))).to.be.lessThan(6);
  });

  it("is renewed before it ends, so that those that only look never read everything", async () => {
    const { add, enqueue, endAll, readFree } = await aWindow(8);
    await add(4_000, msAfter(-60_000));
    await endAll();
    await enqueue(now);
    expect(await pagesOf(() => enqueue(msAfter(700))), "all pages").to.be.greaterThan(15);
    expect(await pagesOf(() => readFree(msAfter(1_600)))).to.be.lessThan(6);
  });

  it("is used at once by statements whose time is a little earlier", async () => {
    const { add, enqueue, endAll, readFree } = await aWindow(8);
    await add(4_000, msAfter(-60_000));
    await endAll();
    expect(await pagesOf(() => enqueue(now)), "all pages").to.be.greaterThan(15);
    const earlier = msAfter(-200); // of a process whose clock is behind, or that waited for the lock
    expect(await pagesOf(() => readFree(earlier))).to.be.lessThan(6);
    expect(await pagesOf(() => enqueue(earlier))).to.be.lessThan(6);
  });

  it("includes what the relay read long before it inserts it", async () => {
    const { fanOutTwo, enqueue, endQueued, stored } = await aWindow(1);
    expect(await enqueue(now)).to.equal(0);
    await fanOutTwo(msAfter(-4_000)); // one of them is queued at once, which fills the window
    expect(await stored()).to.deep.equal(msAfter(-4_000));
    await endQueued();
    expect(await enqueue(msAfter(100))).to.equal(1);
  });

  it("moves along with a backlog that drains", async () => {
    const { add, enqueue, endAll, stored } = await aWindow(8);
    await add(3_000, msAfter(-60_000));
    expect(await enqueue(now)).to.equal(8);
    expect(await stored()).to.deep.equal(msAfter(-60_000));
    await endAll();
    await add(20, msAfter(-50_000), 3_001);
    expect(await enqueue(msAfter(100))).to.equal(8);
    expect(await stored()).to.deep.equal(msAfter(-50_000));
    expect(await pagesOf(() => enqueue(msAfter(200)))).to.be.lessThan(9);
  });

  it("stays a second behind the clock if nothing is due", async () => {
    const { add, enqueue, stored } = await aWindow(8);
    expect(await enqueue(now)).to.equal(0);
    expect(await stored()).to.deep.equal(msAfter(-1_000));
    await add(1, msAfter(-900)); // by a process whose clock is behind
    expect(await enqueue(msAfter(1))).to.equal(1);
  });

  it("is not written by each statement while nothing is due", async () => {
    const { enqueue, version } = await aWindow(8);
    const versions = new Set<string>();
    for (let ms = 0; ms < 1_000; ms += 20) {
      await enqueue(msAfter(ms));
      versions.add(await version());
    }
    expect(versions.size).to.be.lessThan(5);
  });

  it("is used for less than a second, so an earlier delivery is found after that", async () => {
    const { add, enqueue } = await aWindow(8);
    expect(await enqueue(now)).to.equal(0);
    await add(1, msAfter(-60_000)); // like one that is due again because its job was lost
    expect(await enqueue(msAfter(600))).to.equal(0);
    expect(await enqueue(msAfter(700))).to.equal(1);
  });

  for (const [much, ms] of [
    ["an hour", 3_600_000],
    ["more than a moment", 260],
  ] as const) {
    it(`is not used after the clock was set back by ${much}`, async () => {
      const { add, enqueue } = await aWindow(8);
      expect(await enqueue(msAfter(ms))).to.equal(0);
      await add(1, msAfter(-60_000));
      expect(await enqueue(now)).to.equal(1);
    });
  }
});
