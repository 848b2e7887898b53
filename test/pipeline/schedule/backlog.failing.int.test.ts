import { expect } from "chai";
import type { OperationalNotice } from "../../../src/pipeline/ledger/notices.ts";
import {
  warnOrSwitchOffFailing,
  type FailingDeps,
} from "../../../src/pipeline/schedule/backlog.ts";
import { rowsOf, type Trx } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { untilWaiting } from "../../support/waiting.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;

describe("a subscription that only fails", () => {
  const database = useDatabase();
  const start = new Date("2026-11-20T10:00:00.000Z");
  const clock = createTestClock(start);
  let events: OperationalNotice[] = [];
  let enterpriseId: number;
  beforeEach(async () => {
    clock.set(start);
    events = [];
    await rowsOf(database.db, "UPDATE subscription_health SET failing_since = NULL");
    enterpriseId = (await anEnterprise(database.db)).id;
  });
  const deps = (more: Partial<FailingDeps> = {}): FailingDeps => ({
    db: database.db,
    clock,
    log: createLogger("silent", "test"),
    writeNotices: async (_trx, notices) => void events.push(...notices),
    ...more,
  });
  const failing = async (columns: Record<string, unknown> = {}, since = start) => {
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId, ...columns });
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET failing_since = ? WHERE subscription_id = ?",
      [since, id],
    );
    return id;
  };
  const stateOf = async (id: number) =>
    (
      await rowsOf<{
        is_active: boolean;
        disabled_reason: string | null;
        warned_at: Date | null;
      }>(
        database.db,
        `SELECT s.is_active, s.disabled_reason, h.warned_at FROM subscriptions s
         JOIN subscription_health h ON h.subscription_id = s.id WHERE s.id = ?`,
        [id],
      )
    )[0];
  const fault = async (_trx: Trx, notices: readonly OperationalNotice[]): Promise<void> => {
    events.push(...notices);
    throw new Error("no notices today");
  };

  it("gets one warning after 24 hours of failures, and not earlier", async () => {
    const id = await failing();
    clock.advance(24 * hourMs - 1);
    await warnOrSwitchOffFailing(deps());
    expect(events).to.deep.equal([]);
    expect(await stateOf(id)).to.include({ warned_at: null });
    clock.advance(1);
    await warnOrSwitchOffFailing(deps());
    const warnedAt = clock.now();
    clock.advance(minuteMs);
    await warnOrSwitchOffFailing(deps());
    expect(events).to.deep.equal([
      { kind: "subscription.warned", enterpriseId, subscriptionId: id, failingSince: start },
    ]);
    expect(await stateOf(id)).to.deep.equal({
      is_active: true,
      disabled_reason: null,
      warned_at: warnedAt,
    });
  });

  it("gets another warning when it fails again after a success", async () => {
    const id = await failing();
    clock.advance(24 * hourMs);
    await warnOrSwitchOffFailing(deps());
    clock.advance(hourMs);
    await rowsOf(
      database.db,
      `UPDATE subscription_health SET failing_since = ?, warned_at = NULL
       WHERE subscription_id = ?`,
      [clock.now(), id],
    );
    clock.advance(24 * hourMs);
    await warnOrSwitchOffFailing(deps());
    expect(events.map(({ kind }) => kind)).to.deep.equal([
      "subscription.warned",
      "subscription.warned",
    ]);
  });

  it("is switched off after 120 hours and not earlier, with a revision and a notice", async () => {
    const id = await failing();
    clock.advance(24 * hourMs);
    await warnOrSwitchOffFailing(deps());
    clock.advance(96 * hourMs - 1);
    await warnOrSwitchOffFailing(deps());
    expect(await stateOf(id)).to.include({ is_active: true });
    clock.advance(1);
    await warnOrSwitchOffFailing(deps());
    await warnOrSwitchOffFailing(deps());
    expect(await stateOf(id)).to.include({ is_active: false, disabled_reason: "failing" });
    expect(events.slice(1)).to.deep.equal([
      {
        kind: "subscription.disabled",
        enterpriseId,
        subscriptionId: id,
        reason: "failing",
        failingSince: start,
      },
    ]);
    const revisions = await rowsOf(
      database.db,
      `SELECT is_active, reason FROM subscription_revisions WHERE subscription_id = ?
       ORDER BY revision`,
      [id],
    );
    expect(revisions.slice(1)).to.deep.equal([{ is_active: false, reason: "failing" }]);
  });

  it("is switched off without a warning if no pass ran for 120 hours", async () => {
    await failing();
    clock.advance(130 * hourMs);
    await warnOrSwitchOffFailing(deps());
    expect(events.map(({ kind }) => kind)).to.deep.equal(["subscription.disabled"]);
  });

  it("gets no warning while it is off or in pull mode", async () => {
    await failing({ is_active: false });
    await failing({ mode: "pull", url: null });
    clock.advance(130 * hourMs);
    await warnOrSwitchOffFailing(deps());
    expect(events).to.deep.equal([]);
  });

  it("gets one warning from two concurrent processes", async () => {
    const id = await failing();
    clock.advance(24 * hourMs);
    const waiting = await database.db.transaction();
    let assessing: Promise<unknown>;
    try {
      // Both transactions read that the notice is due before either can write.
      await waiting.raw("SELECT FROM subscription_health WHERE subscription_id = ? FOR UPDATE", [
        id,
      ]);
      assessing = Promise.all([warnOrSwitchOffFailing(deps()), warnOrSwitchOffFailing(deps())]);
      await untilWaiting(database.db, 2);
    } finally {
      await waiting.commit();
    }
    await assessing;
    expect(events).to.have.length(1);
  });

  it("stays on if a success is committed concurrently", async () => {
    const id = await failing();
    clock.advance(120 * hourMs);
    const settling = await database.db.transaction();
    let assessing: Promise<unknown>;
    try {
      await settling.raw(
        "UPDATE subscription_health SET failing_since = NULL WHERE subscription_id = ?",
        [id],
      );
      assessing = warnOrSwitchOffFailing(deps());
      await untilWaiting(database.db);
    } finally {
      await settling.commit();
    }
    await assessing;
    expect(await stateOf(id)).to.include({ is_active: true });
    expect(events).to.deep.equal([]);
  });

  it("stays unchanged if the notice cannot be written", async () => {
    const early = await failing();
    const late = await failing({}, new Date(start.getTime() - 120 * hourMs));
    clock.advance(24 * hourMs);
    await warnOrSwitchOffFailing(deps({ writeNotices: fault }));
    expect(events).to.have.length(2); // a failing notice does not affect the others
    expect(await stateOf(early)).to.include({ warned_at: null });
    expect(await stateOf(late)).to.include({ is_active: true });
    events = [];
    await warnOrSwitchOffFailing(deps());
    expect(events.map(({ kind }) => kind)).to.deep.equal([
      "subscription.warned",
      "subscription.disabled",
    ]);
  });

  const settle = (minutes: number) =>
    rowsOf(
      database.db,
      `INSERT INTO alert_settings (enterprise_id, failing_minutes) VALUES (?, ?)
       ON CONFLICT (enterprise_id) DO UPDATE SET failing_minutes = excluded.failing_minutes`,
      [enterpriseId, minutes],
    );
  const settleOwn = (id: number, minutes: number) =>
    rowsOf(
      database.db,
      `INSERT INTO subscription_alerts (subscription_id, enterprise_id, failing_minutes)
       VALUES (?, ?, ?)`,
      [id, enterpriseId, minutes],
    );
  const notifiedIds = () => events.map(({ subscriptionId }) => subscriptionId);

  it("gets its warning by its own threshold, else by the enterprise's, and never if that is 0", async () => {
    await settle(15);
    const [usual, patient, silent] = [await failing(), await failing(), await failing()];
    await settleOwn(patient, 60);
    await settleOwn(silent, 0);
    clock.set(new Date(start.getTime() + 14 * minuteMs));
    await warnOrSwitchOffFailing(deps());
    expect(notifiedIds()).to.deep.equal([]);
    clock.set(new Date(start.getTime() + 15 * minuteMs));
    await warnOrSwitchOffFailing(deps());
    expect(notifiedIds()).to.deep.equal([usual]);
    clock.set(new Date(start.getTime() + 25 * hourMs));
    await warnOrSwitchOffFailing(deps());
    expect(notifiedIds()).to.deep.equal([usual, patient]);
  });

  it("is switched off after 120 hours even without warnings", async () => {
    await settle(0);
    const id = await failing();
    clock.set(new Date(start.getTime() + 120 * hourMs));
    await warnOrSwitchOffFailing(deps());
    expect(await stateOf(id)).to.include({ is_active: false, disabled_reason: "failing" });
  });

  it("gets at most one warning per hour if it fails intermittently", async () => {
    await settle(5);
    const id = await failing();
    clock.set(new Date(start.getTime() + 5 * minuteMs));
    await warnOrSwitchOffFailing(deps());
    const again = new Date(start.getTime() + 10 * minuteMs);
    await rowsOf(
      database.db,
      `UPDATE subscription_health SET failing_since = ?, warned_at = NULL
       WHERE subscription_id = ?`,
      [again, id],
    );
    clock.set(new Date(start.getTime() + 64 * minuteMs));
    await warnOrSwitchOffFailing(deps());
    expect(notifiedIds()).to.deep.equal([id]);
    clock.set(new Date(start.getTime() + 65 * minuteMs));
    await warnOrSwitchOffFailing(deps());
    expect(notifiedIds()).to.deep.equal([id, id]);
  });
});
