import { expect } from "chai";
import {
  enqueueDue,
  enqueueOrClaimDue,
  type EnqueueLimits,
  type FreeSlots,
} from "../../../src/pipeline/ledger/enqueue-due.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { openLimits } from "../../support/ledger.ts";

describe("enqueuing due deliveries", () => {
  const database = useDatabase();
  const now = new Date("2026-11-22T10:00:00Z");
  const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);

  const aWindow = async (columns: object = {}, health: Record<string, unknown> = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, ...columns });
    for (const [column, value] of Object.entries(health)) {
      await rowsOf(
        database.db,
        `UPDATE subscription_health SET ${column} = ? WHERE subscription_id = ?`,
        [value, id],
      );
    }
    let sequence = 0;
    const add = async (count: number, row: Record<string, unknown> = {}): Promise<void> => {
      const rows = Array.from({ length: count }, () => {
        sequence += 1;
        return {
          ...{
            enterprise_id,
            subscription_id: id,
            sequence,
            event_row_id: sequence,
            event_at: now,
          },
          ...{ object: "ticket", key: `ticket:${sequence}`, state: "pending" },
          ...{ due_at: secondsAgo(60) },
          ...row,
        };
      });
      await database.db("deliveries").insert(rows);
    };
    /** Enqueues once. Returns the states and attempts of the enqueued deliveries. */
    const go = async (limits: Partial<EnqueueLimits & FreeSlots> = {}) => {
      const enqueued = await inTransaction(database.db, async (trx) => {
        await lockHealth(trx, [id]);
        const all = { ...openLimits(now), ...limits };
        return (await enqueueOrClaimDue(trx, [id], all, all)).enqueued;
      });
      const rows = await rowsOf<{ id: number; attempts: number }>(
        database.db,
        "SELECT id, attempts FROM deliveries WHERE id = ANY(?::bigint[]) ORDER BY id",
        [enqueued.map((one) => one.deliveryId)],
      );
      return {
        count: rows.length,
        retries: rows.filter((row) => row.attempts > 0).length,
      };
    };
    return { id, enterprise_id, add, go };
  };

  it("keeps a few in flight, and adds a few at a time, while no slot is known to be free", async () => {
    const { id, add } = await aWindow({}, { window_size: 18 });
    await add(40);
    const counts: number[] = [];
    for (let passes = 0; passes < 5; passes += 1) {
      const enqueued = await inTransaction(database.db, async (trx) => {
        await lockHealth(trx, [id]);
        return enqueueDue(trx, [id], openLimits(now));
      });
      counts.push(enqueued.length);
    }
    expect(counts).to.deep.equal([8, 4, 4, 2, 0]);
  });

  it("shares these few between first attempts and retries", async () => {
    const { add, go } = await aWindow({}, { window_size: 96 });
    const limits = { shares: {}, each: 4 };
    await add(40, { state: "retry", attempts: 1, due_at: secondsAgo(300) });
    await add(40);
    expect(await go(limits)).to.deep.equal({ count: 8, retries: 2 });
    expect(await go(limits)).to.deep.equal({ count: 4, retries: 1 });
  });

  it("lets all go that the rate allows, though no slot is known to be free", async () => {
    const { add, go } = await aWindow({ max_per_second: 60 }, { window_size: 96 });
    await add(40);
    expect((await go({ shares: {}, each: 4 })).count).to.equal(30);
  });

  it("gives first attempts three quarters of the window, and retries the rest", async () => {
    const { add, go } = await aWindow({}, { window_size: 16 });
    await add(40, { state: "retry", attempts: 1, due_at: secondsAgo(300) });
    await add(40);
    expect(await go()).to.deep.equal({ count: 16, retries: 4 });
  });

  it("keeps the share of retries while slots become free one by one", async () => {
    const { id, add, go } = await aWindow({}, { window_size: 8 });
    await add(30, { state: "retry", attempts: 1 });
    await add(30);
    expect(await go()).to.deep.equal({ count: 8, retries: 2 });
    const end = (attempts: string) =>
      rowsOf(
        database.db,
        `UPDATE deliveries SET state = 'delivered' WHERE id = (SELECT id FROM deliveries
         WHERE subscription_id = ? AND state = 'queued' AND attempts ${attempts} LIMIT 1)`,
        [id],
      );
    await end("= 0");
    expect(await go()).to.deep.equal({ count: 1, retries: 0 });
    await end("> 0");
    expect(await go()).to.deep.equal({ count: 1, retries: 1 });
  });

  it("gives retries every slot that no first attempt needs", async () => {
    const { add, go } = await aWindow({}, { window_size: 16 });
    await add(40, { state: "retry", attempts: 1 });
    await add(3);
    expect(await go()).to.deep.equal({ count: 16, retries: 13 });
  });

  it("never delays a first attempt for a retry with a small window", async () => {
    const { add, go } = await aWindow({}, { window_size: 2 });
    await add(10, { state: "retry", attempts: 1 });
    await add(10);
    expect(await go()).to.deep.equal({ count: 2, retries: 0 });
  });

  it("includes one retry that is ten minutes overdue", async () => {
    const { add, go } = await aWindow({}, { window_size: 2 });
    await add(10, { state: "retry", attempts: 1, due_at: secondsAgo(601) });
    await add(10);
    expect(await go()).to.deep.equal({ count: 2, retries: 1 });
  });

  it("limits overdue retries to their share while slots become free one by one", async () => {
    const { id, add, go } = await aWindow({}, { window_size: 1 });
    await add(100, { state: "retry", attempts: 1, due_at: secondsAgo(1_000) });
    await add(100);
    let retries = 0;
    for (let seconds = 0; seconds < 40; seconds += 1) {
      const gone = await go({ now: new Date(now.getTime() + seconds * 1_000) });
      expect(gone.count).to.equal(1);
      retries += gone.retries;
      await rowsOf(
        database.db,
        "UPDATE deliveries SET state = 'delivered' WHERE subscription_id = ? AND state = 'queued'",
        [id],
      );
    }
    expect(retries).to.equal(10);
  });

  it("limits overdue retries to their share of a window", async () => {
    const { id, add, go } = await aWindow({}, { window_size: 8 });
    await add(30, { state: "retry", attempts: 1, due_at: secondsAgo(1_000) });
    await add(30);
    for (let places = 1; places <= 8; places += 1) {
      await go({ maxInFlight: places });
    }
    const [row] = await rowsOf<{ count: number }>(
      database.db,
      `SELECT count(*) AS count FROM deliveries
       WHERE subscription_id = ? AND state = 'queued' AND attempts > 0`,
      [id],
    );
    expect(row!.count).to.equal(2);
  });

  it("never delays a first attempt for a retry with a small custom limit", async () => {
    const { add, go } = await aWindow({ max_in_flight: 2 }, { window_size: 64 });
    await add(10, { state: "retry", attempts: 1 });
    await add(10);
    expect(await go()).to.deep.equal({ count: 2, retries: 0 });
  });

  it("gives retries a quarter of the time if the rate allows one request at a time", async () => {
    const { id, add, go } = await aWindow({ max_per_second: 1 }, { window_size: 64 });
    await add(100, { state: "retry", attempts: 1 });
    await add(100);
    let retries = 0;
    for (let seconds = 0; seconds < 40; seconds += 1) {
      const gone = await go({ now: new Date(now.getTime() + seconds * 1_000) });
      expect(gone.count).to.equal(1);
      retries += gone.retries;
      await rowsOf(
        database.db,
        "UPDATE deliveries SET state = 'delivered' WHERE subscription_id = ? AND state = 'queued'",
        [id],
      );
    }
    expect(retries).to.equal(10);
  });

  it("counts replays as retries", async () => {
    const { id, enterprise_id, add, go } = await aWindow({}, { window_size: 8 });
    const [replay] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
         last_sequence, last_event_row_id, created_at)
       VALUES (?, ?, 'running', '{}', 10, 'deliveries', 0, 0, now()) RETURNING id`,
      [enterprise_id, id],
    );
    await add(20, { replay_id: replay!.id });
    await add(20);
    await go();
    const rows = await rowsOf<{ count: number }>(
      database.db,
      `SELECT count(*) AS count FROM deliveries
       WHERE subscription_id = ? AND state = 'queued' AND replay_id IS NOT NULL`,
      [id],
    );
    expect(rows[0]!.count).to.equal(2);
  });

  it("respects the custom concurrency limit", async () => {
    const { add, go } = await aWindow({ max_in_flight: 3 }, { window_size: 50 });
    await add(20);
    expect((await go()).count).to.equal(3);
    expect((await go()).count).to.equal(0);
  });

  it("respects the custom rate", async () => {
    const { add, go } = await aWindow({ max_per_second: 10 }, { window_size: 500 });
    await add(100);
    const limits = { maxInFlight: 500 };
    // A burst of half a second's tokens, then ten per second.
    expect((await go(limits)).count).to.equal(5);
    let count = 0;
    for (let ms = 50; ms <= 3_000; ms += 50) {
      count += (await go({ ...limits, now: new Date(now.getTime() + ms) })).count;
    }
    expect(count).to.equal(30);
  });

  it("enqueues one per second at the slowest rate, and none too early", async () => {
    const { add, go } = await aWindow({ max_per_second: 1 }, { window_size: 500 });
    await add(10);
    expect((await go()).count).to.equal(1);
    expect((await go({ now: new Date(now.getTime() + 900) })).count).to.equal(0);
    expect((await go({ now: new Date(now.getTime() + 1_001) })).count).to.equal(1);
  });

  it("keeps the rate with slightly different clocks", async () => {
    const { add, go } = await aWindow({ max_per_second: 20 }, { window_size: 500 });
    await add(200);
    const limits = { maxInFlight: 500 };
    let count = 0;
    for (let ms = 0; ms <= 1_000; ms += 10) {
      const ahead = ms % 20 === 0 ? 0 : 100;
      count += (await go({ ...limits, now: new Date(now.getTime() + ms + ahead) })).count;
    }
    expect(count).to.be.within(28, 32);
  });

  it("continues immediately after the clock was set back", async () => {
    const { add, go } = await aWindow({ max_per_second: 1 }, { window_size: 500 });
    await add(10);
    expect((await go({ now: new Date(now.getTime() + 3_600_000) })).count).to.equal(1);
    expect((await go()).count).to.equal(1);
    expect((await go()).count).to.equal(0);
    expect((await go({ now: new Date(now.getTime() + 1_001) })).count).to.equal(1);
  });

  it("enqueues only a due probe for an open circuit, and only if probes are allowed", async () => {
    const probeAt = new Date(now.getTime() + 1_000);
    const { add, go } = await aWindow({}, { window_size: 1, probe_at: probeAt });
    await add(10);
    const later = { now: new Date(now.getTime() + 2_000) };
    expect((await go({ mayProbe: true })).count).to.equal(0);
    expect((await go(later)).count).to.equal(0);
    expect((await go({ ...later, mayProbe: true })).count).to.equal(1);
    expect((await go({ ...later, mayProbe: true })).count).to.equal(0);
  });
});
