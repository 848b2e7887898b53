import { expect } from "chai";
import { enqueueDue } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { recordRevision, takeRevision } from "../../../src/pipeline/ledger/revisions.ts";
import {
  cancelOldPaused,
  releaseOrphans,
  moveBacklogs,
} from "../../../src/pipeline/schedule/backlog.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createTestClock, stopAfter } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { refusal } from "../../support/refusal.ts";
import { whileRefused } from "../../support/refused-statements.ts";
import { untilWaiting } from "../../support/waiting.ts";
import { fillDeliveries } from "../../support/explain.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

const hourMs = 3_600_000;

describe("the backlog of a subscription", () => {
  const database = useDatabase();
  const setUp = async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id });
    await fanOutAll(database.db);
    const clock = createTestClock(new Date());
    const { db } = database;
    return { id, deps: { db, ledgerDb: db, clock, log: createLogger("silent", "test") } };
  };
  const switchTo = (id: number, isActive: boolean) =>
    inTransaction(database.db, async (trx) => {
      const revision = await takeRevision(trx);
      await trx("subscriptions").where({ id }).update({ is_active: isActive });
      await recordRevision(trx, id, revision, { reason: null, changedBy: null });
    });
  const stateOf = async (id: number) => (await readLedger(database.db, id))[0]?.state;

  it("follows the switch: paused when off, due again when on", async () => {
    const { id, deps } = await setUp();
    await switchTo(id, false);
    expect(await moveBacklogs(deps)).to.equal(1);
    expect(await stateOf(id)).to.equal("paused");
    await switchTo(id, true);
    expect(await moveBacklogs(deps)).to.equal(1);
    expect(await stateOf(id)).to.equal("pending");
    expect(await moveBacklogs(deps)).to.equal(0);
  });

  it("is kept for 7 days after the switch, and then cancelled", async () => {
    const { id, deps } = await setUp();
    await switchTo(id, false);
    await moveBacklogs(deps);
    deps.clock.advance(7 * 24 * hourMs - 60_000);
    expect(await cancelOldPaused(deps)).to.equal(0);
    deps.clock.advance(120_000);
    expect(await cancelOldPaused(deps)).to.equal(1);
    expect(await stateOf(id)).to.equal("cancelled");
  });

  it("counts the 7 days from the last switch-off", async () => {
    const { id, deps } = await setUp();
    await switchTo(id, false);
    await rowsOf(
      database.db,
      `UPDATE subscription_revisions SET valid_from = now() - interval '8 days'
       WHERE subscription_id = ?`,
      [id],
    );
    await switchTo(id, true);
    await switchTo(id, false);
    await moveBacklogs(deps);
    expect(await cancelOldPaused(deps)).to.equal(0);
  });

  describe("that was off for more than 7 days", () => {
    const setUpOff = async (count: number) => {
      const { id: enterprise_id } = await anEnterprise(database.db);
      const { id } = await aSubscription(database.db, { enterprise_id, is_active: false });
      await fillDeliveries(database.db, id, { state: "paused", count, keys: 1 });
      await rowsOf(
        database.db,
        "UPDATE subscription_health SET last_sequence = ? WHERE subscription_id = ?",
        [count, id],
      );
      const clock = createTestClock(new Date());
      const { db } = database;
      return { id, deps: { db, ledgerDb: db, clock, log: createLogger("silent", "test") } };
    };
    const countOf = async (id: number, state: string) =>
      (await readLedger(database.db, id)).filter((row) => row.state === state).length;
    const enqueueFor = (id: number) =>
      inTransaction(database.db, async (trx) => {
        await lockHealth(trx, [id]);
        return enqueueDue(trx, [id], openLimits());
      });

    it("is cancelled in one pass, in any number of batches", async () => {
      const { id, deps } = await setUpOff(6_001);
      expect(await cancelOldPaused(deps)).to.equal(6_001);
      expect(await countOf(id, "cancelled")).to.equal(6_001);
    });

    it("continues in order when it is switched on after a partial pass", async () => {
      const { id, deps } = await setUpOff(1_500);
      const ended = await cancelOldPaused(deps, stopAfter(2));
      expect(ended).to.equal(1_000);
      await switchTo(id, true);
      await moveBacklogs(deps);
      expect(await countOf(id, "pending")).to.equal(500);
      const enqueued = await enqueueFor(id);
      const first = (await readLedger(database.db, id)).find((row) => row.state === "queued");
      expect(enqueued).to.have.length(1);
      expect(first?.sequence).to.equal(1_001);
    });

    it("is kept if the subscription is switched on concurrently", async () => {
      const { id, deps } = await setUpOff(3);
      const switching = await database.db.transaction();
      let ending: Promise<number>;
      try {
        await lockHealth(switching, [id]);
        await switching("subscriptions").where({ id }).update({ is_active: true });
        ending = cancelOldPaused(deps);
        await untilWaiting(database.db);
      } finally {
        await switching.commit();
      }
      expect(await ending).to.equal(0);
      expect(await countOf(id, "paused")).to.equal(3);
    });

    it("waits until everything is paused, so that nothing is overtaken", async () => {
      for (const state of ["sending", "queued", "retry"]) {
        const { id, deps } = await setUpOff(3);
        await database
          .db("deliveries")
          .where({ subscription_id: id, sequence: 1 })
          .update({ state });
        expect(await cancelOldPaused(deps)).to.equal(0);
        await database.db("deliveries").where({ subscription_id: id }).delete();
      }
    });
  });

  describe("if that of another subscription fails", () => {
    const refusing = (id: number, work: () => Promise<void>) =>
      whileRefused(
        database.db,
        { statement: "UPDATE ON deliveries", when: `OLD.subscription_id = ${id}` },
        work,
      );

    it("follows the switch, and is cancelled after 7 days", async () => {
      const broken = await setUp();
      const { id, deps } = await setUp();
      await switchTo(broken.id, false);
      await switchTo(id, false);
      await refusing(broken.id, async () => {
        expect(await refusal(moveBacklogs(deps))).to.equal("P0001");
      });
      expect([await stateOf(broken.id), await stateOf(id)]).to.deep.equal(["queued", "paused"]);
      await moveBacklogs(deps);
      deps.clock.advance(8 * 24 * hourMs);
      await refusing(broken.id, async () => {
        expect(await refusal(cancelOldPaused(deps))).to.equal("P0001");
      });
      expect([await stateOf(broken.id), await stateOf(id)]).to.deep.equal(["paused", "cancelled"]);
    });

    it("releases its stuck successors", async () => {
      const broken = await setUp();
      const { id, deps } = await setUp();
      for (const one of [broken.id, id]) {
        await fillDeliveries(database.db, one, { state: "pending", count: 2, keys: 1 });
        await database
          .db("deliveries")
          .where({ subscription_id: one, sequence: 2 })
          .update({ state: "dead", waits_for: null });
      }
      await refusing(broken.id, async () => {
        expect(await refusal(releaseOrphans(deps))).to.equal("P0001");
      });
      expect((await readLedger(database.db, id)).at(-1)).to.include({ waits_for: null });
      expect(await releaseOrphans(deps)).to.equal(1);
    });
  });

  it("releases the successors of ended deliveries, in every subscription", async () => {
    const first = await setUp();
    const second = await setUp();
    for (const { id } of [first, second]) {
      await fillDeliveries(database.db, id, { state: "pending", count: 6_002, keys: 1 });
      await database
        .db("deliveries")
        .where({ subscription_id: id, sequence: 6_002 })
        .update({ state: "dead", waits_for: null });
    }
    expect(await releaseOrphans(first.deps)).to.equal(2);
    const last = (await readLedger(database.db, second.id)).at(-1);
    expect(last).to.include({ sequence: 6_003, waits_for: 6_001 }); // which is live
    expect(await releaseOrphans(first.deps)).to.equal(0);
  });

  it("releases nothing after the process has stopped", async () => {
    const { id, deps } = await setUp();
    await fillDeliveries(database.db, id, { state: "pending", count: 2, keys: 1 });
    await database
      .db("deliveries")
      .where({ subscription_id: id, sequence: 2 })
      .update({ state: "dead" });
    expect(await releaseOrphans(deps, AbortSignal.abort())).to.equal(0);
    expect(await releaseOrphans(deps)).to.equal(1);
  });
});
