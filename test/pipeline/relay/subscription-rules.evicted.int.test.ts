import { expect } from "chai";
import { recordRevision, takeRevision } from "../../../src/pipeline/ledger/revisions.ts";
import { fanOut } from "../../../src/pipeline/relay/fan-out.ts";
import { createSubscriptionSet } from "../../../src/pipeline/relay/subscription-rules.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { openLimits, readLedger } from "../../support/ledger.ts";

/** More than are cached. */
const manyChanges = 20;

describe("the cache of subscriptions", () => {
  const database = useDatabase();
  const change = (id: number, columns: Record<string, unknown>) =>
    inTransaction(database.db, async (trx) => {
      const revision = await takeRevision(trx);
      await trx("subscriptions").where({ id }).update(columns);
      await recordRevision(trx, id, revision, { reason: null, changedBy: null });
    });
  const changeOften = async (id: number, afterEach: () => Promise<void>): Promise<void> => {
    for (let count = 0; count < manyChanges; count += 1) {
      await change(id, { name: `change ${count}` });
      await afterEach();
    }
  };
  const setUp = async (columns: object = {}) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"], ...columns });
    const set = createSubscriptionSet();
    const refresh = () => set.refresh(database.db);
    await refresh();
    return { enterprise_id, id, set, refresh };
  };
  const fanOutBy = (set: ReturnType<typeof createSubscriptionSet>) =>
    fanOut(database.db, set, { limit: 100, afterEventRowId: 0 }, openLimits());

  it("does not grow with every change", async () => {
    const { enterprise_id, id, set, refresh } = await setUp();
    await changeOften(id, refresh);
    const started = createSubscriptionSet();
    await started.refresh(database.db);
    for (const one of [set, started]) {
      const [cached = [], ...others] = one.revisionsOf(enterprise_id);
      expect(others).to.deep.equal([]);
      expect(cached.at(-1)?.revision).to.equal(set.newestRevision());
      expect(cached.length).to.be.within(1, manyChanges / 2);
    }
  });

  it("forgets webhooks that were deleted", async () => {
    const { enterprise_id, id, set, refresh } = await setUp();
    await change(id, { is_active: false, deleted_at: new Date() });
    await refresh();
    expect([...set.revisionsOf(enterprise_id)]).to.deep.equal([]);
  });

  for (const [name, isActive] of [
    ["on", true],
    ["off", false],
  ] as const) {
    it(`does not lose that a webhook was ${name} when an older event occurred`, async () => {
      const { enterprise_id, id, set, refresh } = await setUp();
      await change(id, { is_active: isActive });
      const other = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
      await anEvent(database.db, { enterprise_id });
      await change(id, { is_active: !isActive });
      await changeOften(id, refresh);
      await anEvent(database.db, { enterprise_id });
      await fanOutBy(set);
      const [old, fresh] = await readLedger(database.db, other.id);
      const sent = await readLedger(database.db, id);
      const expected = isActive ? old : fresh;
      expect(sent.map(({ key }) => key)).to.deep.equal([expected?.key]);
    });
  }

  it("compares the times of older events by the millisecond, as those of newer ones", async () => {
    const { enterprise_id, id, set, refresh } = await setUp();
    await anEvent(database.db, { enterprise_id });
    await changeOften(id, refresh);
    await rowsOf(
      database.db,
      `UPDATE subscription_revisions r
       SET valid_from = date_trunc('milliseconds', o.occurred_at) + interval '400 microseconds'
       FROM outbox o WHERE r.subscription_id = ? AND r.revision = (
         SELECT min(revision) FROM subscription_revisions WHERE subscription_id = ?)`,
      [id, id],
    );
    await fanOutBy(set);
    expect(await readLedger(database.db, id)).to.have.length(1);
  });

  it("matches older events of many ages by the revisions of their times", async () => {
    const { enterprise_id, id, set, refresh } = await setUp({ is_active: false });
    const expected: string[] = [];
    for (let count = 0; count < manyChanges; count += 1) {
      const isActive = count % 3 === 0;
      await change(id, { is_active: isActive });
      const { key } = await anEvent(database.db, { enterprise_id });
      expected.push(...(isActive ? [key] : []));
    }
    await refresh();
    await fanOutBy(set);
    expect((await readLedger(database.db, id)).map(({ key }) => key)).to.deep.equal(expected);
  });
});
