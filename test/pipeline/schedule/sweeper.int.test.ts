import { expect } from "chai";
import type { ObjectKind } from "../../../src/contracts/events.ts";
import { createSweeper, type SweepReason } from "../../../src/pipeline/schedule/sweeper.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import {
  aSettlement,
  claimAll,
  fanOutAll,
  openLimits,
  readLedger,
  settleAll,
} from "../../support/ledger.ts";

describe("the sweeper", () => {
  const database = useDatabase();

  const setUp = async (events: number) => {
    const clock = createTestClock(new Date());
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    for (let i = 0; i < events; i += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    const enqueued = await fanOutAll(database.db, openLimits(clock.now()));
    const state = { lost: new Set<ObjectKind>(), oldest: undefined as Date | undefined };
    const swept: [SweepReason, number][] = [];
    const sweeper = createSweeper({
      db: database.db,
      clock,
      log: createLogger("silent", "test"),
      queue: {
        oldestWaiting: async () => state.oldest,
        hasLostMemory: async (object) => state.lost.has(object),
        markEpoch: async (object) => void state.lost.delete(object),
      },
      onSwept: (reason, count) => count > 0 && swept.push([reason, count]),
    });
    return { clock, id, enqueued, state, swept, sweeper };
  };
  const statesOf = async (id: number) =>
    (await readLedger(database.db, id)).map((row) => row.state);

  beforeEach(async () => {
    await rowsOf(database.db, "DELETE FROM deliveries");
  });

  it("leaves deliveries whose jobs may still be in the queue", async () => {
    const { clock, id, sweeper, state, swept } = await setUp(2);
    await sweeper.sweep();
    state.oldest = clock.now();
    clock.advance(600_000);
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["queued", "queued"]);
    expect(swept).to.deep.equal([]);
  });

  it("requeues deliveries older than the oldest waiting job, with a new generation", async () => {
    const { clock, id, sweeper, swept, enqueued: jobs } = await setUp(1);
    clock.advance(5_001);
    await sweeper.sweep();
    expect((await readLedger(database.db, id))[0]).to.include({ state: "pending", generation: 2 });
    expect(swept).to.deep.equal([["job", 1]]);
    // The old job runs after all, and its claim is refused.
    expect(await claimAll(database.db, jobs)).to.deep.equal([]);
  });

  it("requeues everything immediately when the queue lost its data", async () => {
    const { clock, id, sweeper, swept, state } = await setUp(3);
    clock.advance(1);
    state.lost.add("ticket");
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["pending", "pending", "pending"]);
    expect(swept).to.deep.equal([["epoch", 3]]);
    expect(state.lost.size).to.equal(0);
  });

  it("ends the lease of a dead worker, records it, and refuses its late result", async () => {
    const { clock, id, sweeper, enqueued: enqueuedJobs } = await setUp(1);
    const lease = { now: clock.now(), leaseMs: 30_000 };
    const [claimed] = await claimAll(database.db, enqueuedJobs, lease);
    await sweeper.sweep();
    clock.advance(29_000);
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["sending"]);
    clock.advance(2_000);
    await sweeper.sweep();
    expect((await readLedger(database.db, id))[0]).to.include({ state: "pending", attempts: 0 });
    const attempts = await rowsOf(database.db, "SELECT failure, is_counted, number FROM attempts");
    expect(attempts).to.deep.equal([{ failure: "interrupted", is_counted: false, number: 1 }]);
    const { accepted } = await settleAll(database.db, [aSettlement(claimed!)]);
    expect(accepted).to.deep.equal([false]);
  });

  it("gives workers time to store results after an outage of Postgres", async () => {
    const { clock, id, sweeper, enqueued } = await setUp(1);
    await claimAll(database.db, enqueued, { now: clock.now(), leaseMs: 1_000 });
    clock.advance(60_000);
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["sending"]);
    clock.advance(5_000);
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["pending"]);
  });

  it("gives workers the same time after Postgres did not answer for a while", async () => {
    const { clock, id, sweeper, enqueued } = await setUp(1);
    await claimAll(database.db, enqueued, { now: clock.now(), leaseMs: 1_000 });
    await sweeper.sweep();
    clock.advance(60_000);
    const holder = await database.db.transaction();
    await rowsOf(holder, "LOCK TABLE deliveries");
    const sweeping = sweeper.sweep();
    await eventually(async () =>
      expect(
        await rowsOf(
          holder,
          `SELECT 1 FROM pg_locks WHERE NOT granted AND database =
             (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      ).to.have.length(1),
    );
    clock.advance(3_000);
    await holder.commit();
    await sweeping;
    expect(await statesOf(id)).to.deep.equal(["sending"]);
    clock.advance(5_000);
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["pending"]);
  });

  it("ends leases even if the queue is unavailable", async () => {
    const { clock, id, enqueued } = await setUp(1);
    const away = async (): Promise<never> => {
      throw new Error("away");
    };
    const sweeper = createSweeper({
      db: database.db,
      clock,
      log: createLogger("silent", "test"),
      queue: { oldestWaiting: away, hasLostMemory: away, markEpoch: away },
      onSwept: () => undefined,
    });
    await claimAll(database.db, enqueued, { now: clock.now(), leaseMs: 0 });
    await sweeper.sweep();
    clock.advance(10_000);
    await sweeper.sweep();
    expect(await statesOf(id)).to.deep.equal(["pending"]);
  });
});
