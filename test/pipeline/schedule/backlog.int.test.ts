import { expect } from "chai";
import { recordRevision, takeRevision } from "../../../src/pipeline/ledger/revise.ts";
import {
  endOldPaused,
  judgeFailing,
  moveBacklogs,
} from "../../../src/pipeline/schedule/backlog.ts";
import { inTransaction, rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll, readLedger } from "../../support/ledger.ts";

const hourMs = 3_600_000;

describe("the backlog of a subscription", () => {
  const database = useDatabase();
  const setUp = async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id });
    await fanOutAll(database.db);
    const clock = createTestClock(new Date());
    return { id, deps: { db: database.db, clock, log: createLogger("silent", "test") } };
  };
  const switchTo = (id: number, isActive: boolean) =>
    inTransaction(database.db, async (trx) => {
      const revision = await takeRevision(trx);
      await trx("subscriptions").where({ id }).update({ is_active: isActive });
      await recordRevision(trx, id, revision, { reason: null, changedBy: null });
    });
  const stateOf = async (id: number) => (await readLedger(database.db, id))[0]?.state;
  const subscriptionOf = async (id: number) =>
    (
      await rowsOf<{ is_active: boolean; disabled_reason: string | null }>(
        database.db,
        "SELECT is_active, disabled_reason FROM subscriptions WHERE id = ?",
        [id],
      )
    )[0];
  const failSince = (id: number, since: Date) =>
    rowsOf(
      database.db,
      "UPDATE subscription_health SET failing_since = ? WHERE subscription_id = ?",
      [since, id],
    );

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

  it("is kept for 7 days after the switch, and then ended", async () => {
    const { id, deps } = await setUp();
    await switchTo(id, false);
    await moveBacklogs(deps);
    deps.clock.advance(7 * 24 * hourMs - 60_000);
    expect(await endOldPaused(deps)).to.equal(0);
    deps.clock.advance(120_000);
    expect(await endOldPaused(deps)).to.equal(1);
    expect(await stateOf(id)).to.equal("cancelled");
  });

  it("counts the 7 days from the last time it was switched off", async () => {
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
    expect(await endOldPaused(deps)).to.equal(0);
  });

  it("switches a subscription off that did nothing but fail for 120 hours, not earlier", async () => {
    const { id, deps } = await setUp();
    await failSince(id, new Date(deps.clock.now().getTime() - 119 * hourMs));
    await judgeFailing(deps);
    expect(await subscriptionOf(id)).to.include({ is_active: true });
    deps.clock.advance(hourMs);
    await judgeFailing(deps);
    expect(await subscriptionOf(id)).to.deep.equal({
      is_active: false,
      disabled_reason: "failing",
    });
    const [revision] = await rowsOf(
      database.db,
      `SELECT is_active, reason FROM subscription_revisions WHERE subscription_id = ?
       ORDER BY revision DESC LIMIT 1`,
      [id],
    );
    expect(revision).to.deep.equal({ is_active: false, reason: "failing" });
  });

  it("warns once about a day of nothing but failures", async () => {
    const { id, deps } = await setUp();
    const warnedAt = async () =>
      (
        await rowsOf<{ warned_at: Date | null }>(
          database.db,
          "SELECT warned_at FROM subscription_health WHERE subscription_id = ?",
          [id],
        )
      )[0]?.warned_at;
    await failSince(id, new Date(deps.clock.now().getTime() - 23 * hourMs));
    await judgeFailing(deps);
    expect(await warnedAt()).to.equal(null);
    deps.clock.advance(2 * hourMs);
    await judgeFailing(deps);
    const first = await warnedAt();
    expect(first).to.deep.equal(deps.clock.now());
    deps.clock.advance(hourMs);
    await judgeFailing(deps);
    expect(await warnedAt()).to.deep.equal(first);
  });
});
