import { expect } from "chai";
import type { OperationalNotice } from "../../../src/pipeline/ledger/notices.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { switchOff, type SwitchOffDeps } from "../../../src/pipeline/ledger/switch-off.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";

describe("switching a subscription off", () => {
  const database = useDatabase();
  let events: OperationalNotice[] = [];
  let of: { enterpriseId: number; subscriptionId: number };
  beforeEach(async () => {
    events = [];
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId });
    of = { enterpriseId, subscriptionId: id };
  });
  const deps = (more: Partial<SwitchOffDeps> = {}): SwitchOffDeps => ({
    db: database.db,
    log: createLogger("silent", "test"),
    writeNotices: async (_trx, notices) => void events.push(...notices),
    ...more,
  });
  const failSince = (since: Date) =>
    rowsOf(
      database.db,
      "UPDATE subscription_health SET failing_since = ? WHERE subscription_id = ?",
      [since, of.subscriptionId],
    );
  const state = async () =>
    (
      await rowsOf(
        database.db,
        `SELECT s.is_active, s.disabled_reason, r.reason AS revision_reason
         FROM subscriptions s JOIN subscription_revisions r ON r.revision = s.revision
         WHERE s.id = ?`,
        [of.subscriptionId],
      )
    )[0];

  it("writes one notice with the reason and the start of the failures, however often it is called", async () => {
    const failingSince = new Date("2026-11-20T10:00:00.000Z");
    await failSince(failingSince);
    const done = await Promise.all(
      Array.from({ length: 5 }, () => switchOff(deps(), of.subscriptionId, "gone")),
    );
    expect(done.filter(Boolean)).to.have.length(1);
    expect(events).to.deep.equal([
      { kind: "subscription.disabled", ...of, reason: "gone", failingSince },
    ]);
    expect(await state()).to.deep.equal({
      is_active: false,
      disabled_reason: "gone",
      revision_reason: "gone",
    });
    expect(await switchOff(deps(), of.subscriptionId, "failing")).to.equal(false);
    expect(events).to.have.length(1);
  });

  it("does not happen if the notice cannot be written", async () => {
    const writeNotices = async (): Promise<void> => {
      throw new Error("no notices today");
    };
    let fault: unknown;
    await switchOff(deps({ writeNotices }), of.subscriptionId, "gone").catch((thrown: unknown) => {
      fault = thrown;
    });
    expect(fault).to.include({ message: "no notices today" });
    expect(await state()).to.deep.equal({
      is_active: true,
      disabled_reason: null,
      revision_reason: null,
    });
  });

  it("keeps a subscription on that has not failed long enough", async () => {
    const before = new Date("2026-11-20T10:00:00.000Z");
    expect(
      await switchOff(deps(), of.subscriptionId, "failing", { failingBefore: before }),
    ).to.equal(false);
    await failSince(new Date(before.getTime() + 1));
    expect(
      await switchOff(deps(), of.subscriptionId, "failing", { failingBefore: before }),
    ).to.equal(false);
    expect(await state()).to.include({ is_active: true });
    await failSince(before);
    expect(
      await switchOff(deps(), of.subscriptionId, "failing", { failingBefore: before }),
    ).to.equal(true);
  });

  it("does not block a relay that holds the health lock", async () => {
    const relay = await database.db.transaction();
    await lockHealth(relay, [of.subscriptionId]);
    const off = switchOff(deps(), of.subscriptionId, "gone");
    await eventually(async () => {
      const waiting = await rowsOf(
        database.db,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE '%subscription_health%'`,
      );
      return waiting.length === 1;
    });
    await rowsOf(
      relay,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       VALUES (?, ?, 1, 1, now(), 'ticket', 'ticket:1', 'pending', now())`,
      [of.enterpriseId, of.subscriptionId],
    );
    await relay.commit();
    expect(await off).to.equal(true);
  });
});
