import { expect } from "chai";
import type { OperationalNotice } from "../../../src/pipeline/ledger/notices.ts";
import type { EnqueuedDelivery } from "../../../src/pipeline/ledger/enqueue-due.ts";
import type { DueSeen } from "../../../src/pipeline/ledger/earliest-due.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import type { Settlement } from "../../../src/pipeline/ledger/record-results.ts";
import { settleAttempts } from "../../../src/pipeline/ledger/settle.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { untilWaiting } from "../../support/waiting.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

describe("settling of steady subscriptions", () => {
  const database = useDatabase();

  /** A subscription with the health row of a steady one, and an event for each key. */
  const aSteadyOne = async (keys: readonly string[]) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await setHealth(id, `window_size = ${openLimits().maxInFlight}, last_success_at = NULL`);
    for (const key of keys) {
      await anEvent(database.db, { enterprise_id, key });
    }
    return { id, enterprise_id };
  };
  const setHealth = (id: number, assignments: string) =>
    rowsOf(database.db, `UPDATE subscription_health SET ${assignments} WHERE subscription_id = ?`, [
      id,
    ]);
  const healthOf = async (id: number) =>
    (await database.db.transaction((trx) => lockHealth(trx, [id]))).get(id);
  /** Deliveries that were sent before the results were stored. */
  let early: EnqueuedDelivery[] = [];
  let dueSeen = new Map<number, DueSeen>();
  beforeEach(() => {
    early = [];
    dueSeen = new Map();
  });
  /** Settles like a process that has recorded these subscriptions as steady. */
  const settle = (
    settlements: readonly Settlement[],
    ids: readonly number[],
    notices: Pick<OperationalNotice[], "push"> = [],
  ) =>
    settleAttempts(
      {
        db: database.db,
        steady: new Set(ids),
        dueSeen,
        sendDue: ({ enqueued }) => void early.push(...enqueued),
        writeNotices: async (_trx, written) => void notices.push(...written),
      },
      settlements,
      openLimits(),
    );
  const claimDue = async () => claimAll(database.db, await fanOutAll(database.db));

  it("stores results, attempts and the time, and enqueues what they release", async () => {
    const { id } = await aSteadyOne(["a", "a"]);
    const [claimed] = await claimDue();
    const result = await settle([aSettlement(claimed!)], [id]);
    expect(result.accepted).to.deep.equal([true]);
    expect(result.enqueued).to.have.length(1);
    const rows = await readLedger(database.db, id);
    expect(rows.map(({ state, attempts }) => [state, attempts])).to.deep.equal([
      ["delivered", 1],
      ["queued", 0],
    ]);
    expect((await healthOf(id))?.lastSuccessAt).to.be.instanceOf(Date);
  });

  for (const [name, health] of [
    ["steady", "failing_since = NULL"],
    ["not", "window_size = 8"],
  ] as const) {
    it(`enqueues what is released, however old it is, if the subscription is ${name}`, async () => {
      const { id } = await aSteadyOne(["a", "a"]);
      const [claimed] = await claimDue();
      await setHealth(
        id,
        `${health}, earliest_due_at = now(), earliest_due_until = now() + interval '900 ms'`,
      );
      await rowsOf(
        database.db,
        `UPDATE deliveries SET due_at = now() - interval '1 hour'
         WHERE subscription_id = ? AND waits_for IS NOT NULL`,
        [id],
      );
      const { accepted, enqueued } = await settle([aSettlement(claimed!)], [id]);
      expect(accepted).to.deep.equal([true]);
      expect(enqueued).to.have.length(1);
    });
  }

  it("changes nothing in one statement if one of the subscriptions has failed since", async () => {
    const steady = await aSteadyOne(["a"]);
    const failing = await aSteadyOne(["b"]);
    const claimed = await claimDue();
    await setHealth(
      failing.id,
      "failing_since = now() - interval '1 hour', warned_at = now(), failures_in_row = 7",
    );
    const notices: OperationalNotice[] = [];
    const { accepted } = await settle(
      claimed.map((one) => aSettlement(one)),
      [steady.id, failing.id],
      notices,
    );
    expect(accepted).to.deep.equal([true, true]);
    expect(notices).to.have.length(1); // the recovery notice
    expect(await healthOf(failing.id)).to.include({ failingSince: null, failuresInRow: 0 });
    expect((await healthOf(steady.id))?.windowSize).to.equal(openLimits().maxInFlight);
  });

  it("loses nothing that became due if one has failed since, and that cannot be stored", async () => {
    const { id } = await aSteadyOne(["a", "b"]);
    const [claimed, other] = await claimDue();
    await rowsOf(database.db, "UPDATE deliveries SET state = 'pending' WHERE id = ?", [
      other!.deliveryId,
    ]);
    await setHealth(id, "failing_since = now() - interval '1 hour', warned_at = now()");
    const failing = {
      push: () => {
        throw new Error("no notice");
      },
    };
    const failed: unknown = await settle([aSettlement(claimed!)], [id], failing).catch(
      (thrown: unknown) => thrown,
    );
    expect(failed).to.include({ message: "no notice" });
    const rows = await readLedger(database.db, id);
    expect(rows.map(({ state }) => state)).to.deep.equal(["sending", "queued"]);
    expect(early.map(({ deliveryId }) => deliveryId)).to.deep.equal([other!.deliveryId]);
  });

  it("refuses the late result of a worker that lost its lease", async () => {
    const { id } = await aSteadyOne(["a"]);
    const [claimed] = await claimDue();
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'queued', generation = generation + 1 WHERE id = ?",
      [claimed!.deliveryId],
    );
    expect((await settle([aSettlement(claimed!)], [id])).accepted).to.deep.equal([false]);
    expect((await readLedger(database.db, id))[0]).to.include({ state: "queued", attempts: 0 });
  });

  it("notices failures and slow answers of a subscription that was steady", async () => {
    const { id } = await aSteadyOne(["a", "b"]);
    const [first, second] = await claimDue();
    const dueAt = new Date(Date.now() + 5_000);
    const failed = aSettlement(first!, { state: "retry", dueAt, congested: true });
    expect((await settle([failed], [id])).accepted).to.deep.equal([true]);
    expect(await healthOf(id)).to.include({ failuresInRow: 1, windowSize: 128 });
    await setHealth(
      id,
      `window_size = ${openLimits().maxInFlight}, failures_in_row = 0,
      failing_since = NULL, failure = NULL, failure_status = NULL`,
    );
    const slow = aSettlement(second!);
    await settle([{ ...slow, record: { ...slow.record, durationMs: 2_000 } }], [id]);
    expect((await healthOf(id))?.windowSize).to.equal(128);
  });

  it("releases a successor that was inserted while the lock was held", async () => {
    const { id, enterprise_id } = await aSteadyOne(["a"]);
    const [claimed] = await claimDue();
    // Like the relay: locks the health row, then inserts a successor and commits.
    const relay = await database.db.transaction();
    await lockHealth(relay, [id]);
    const settling = settle([aSettlement(claimed!)], [id]);
    await untilWaiting(database.db);
    const event = await anEvent(database.db, { enterprise_id, key: "a" });
    await rowsOf(
      relay,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
         object, key, state, due_at, waits_for)
       SELECT enterprise_id, subscription_id, sequence + 1, ?, ?, object, key, 'pending', due_at,
         sequence FROM deliveries WHERE id = ?`,
      [event.id, event.occurred_at, claimed!.deliveryId],
    );
    await relay.commit();
    expect((await settling).enqueued).to.have.length(1);
  });
});
