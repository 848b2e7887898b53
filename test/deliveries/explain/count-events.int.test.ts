import { expect } from "chai";
import { countEvents } from "../../../src/deliveries/explain/count-events.ts";
import { findSubscriptionStatus } from "../../../src/pipeline/ledger/queries/subscription-period.ts";
import { readEnterpriseRevisions } from "../../../src/pipeline/ledger/revisions.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { fanOutAll } from "../../support/ledger.ts";

describe("counting the events of a period by verdict", () => {
  const database = useDatabase();
  const now = new Date();
  const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
  let enterpriseId = 0;
  let subscriptionId = 0;

  beforeEach(async () => {
    enterpriseId = (await anEnterprise(database.db)).id;
    subscriptionId = (await aSubscription(database.db, { enterprise_id: enterpriseId })).id;
  });

  const happen = (seconds: number, columns: object = {}) =>
    anEvent(database.db, { enterprise_id: enterpriseId, occurred_at: ago(seconds), ...columns });

  const countAll = (limits?: { maxEvents: number; budgetMs: number }) =>
    inTransaction(database.db, async (trx) => {
      const subscription = await findSubscriptionStatus(trx, enterpriseId, subscriptionId);
      const revisions = (await readEnterpriseRevisions(trx, enterpriseId)).get(subscriptionId);
      const subject = {
        ...{ enterpriseId, now, keptSince: ago(86_400) },
        ...{ subscription: subscription!, revisions: revisions! },
      };
      return countEvents(trx, subject, { since: ago(600), until: ago(60) }, limits);
    });

  it("includes the start of the period and excludes its end, in any order of the ids", async () => {
    for (const seconds of [601, 600, 30, 61, 60, 300]) {
      await happen(seconds);
    }
    const counts = await countAll();
    expect(counts).to.include({ events: 3, truncatedAt: null });
    expect(counts.verdicts.get("not_fanned_out")).to.include({ count: 3, late: 3 });
  });

  it("stops at its limit of events, newest first, and returns the position", async () => {
    for (const seconds of [400, 300, 200, 100]) {
      await happen(seconds);
    }
    const some = await countAll({ maxEvents: 3, budgetMs: 5_000 });
    expect(some).to.include({ events: 3 });
    expect(some.truncatedAt).to.deep.equal(ago(300));
    const whole = await countAll({ maxEvents: 5, budgetMs: 5_000 });
    expect(whole).to.include({ events: 4, truncatedAt: null });
  });

  it("stops when its time is over, after at least one page", async () => {
    for (let count = 0; count < 501; count += 1) {
      await happen(100);
    }
    const counts = await countAll({ maxEvents: 1_000, budgetMs: 0 });
    expect(counts.events).to.equal(500);
    expect(counts.truncatedAt).not.to.equal(null);
  });

  it("keeps the newest event of each verdict as its example", async () => {
    await happen(200, { object: "media", event: "update" });
    const newest = await happen(100, { object: "media", event: "create" });
    const { verdicts, kinds } = await countAll();
    const group = verdicts.get("filters");
    expect(group?.event.eventId).to.equal(newest.event_id);
    expect([...(group?.mismatches ?? [])]).to.deep.equal([["object", 2]]);
    expect(kinds.map(({ event, count, matched }) => [event, count, matched])).to.deep.equal([
      ["create", 1, 0],
      ["update", 1, 0],
    ]);
  });

  it("counts the events of a change also if the newest of them is a gap", async () => {
    const { db } = database;
    const columns = { enterprise_id: enterpriseId, valid_from: ago(102) };
    subscriptionId = (await aSubscription(db, columns)).id;
    const [before] = [await happen(101), await happen(100)];
    const lost = await happen(99);
    await db("outbox").where({ event_row_id: before.id }).delete();
    await fanOutAll(db);
    const ids = { event_row_id: lost.id, subscription_id: subscriptionId };
    await db("deliveries").where(ids).delete();
    const { verdicts } = await countAll();
    const counts = [...verdicts.values()].map(({ verdict, count, event }) => [
      verdict,
      ...[count, event.eventId],
    ]);
    expect(counts).to.deep.include.members([
      ["gap", 1, lost.event_id],
      ["changing", 1, before.event_id],
    ]);
  });

  it("does not count events of another enterprise", async () => {
    await happen(100, { enterprise_id: (await anEnterprise(database.db)).id });
    expect(await countAll()).to.include({ events: 0 });
  });
});
