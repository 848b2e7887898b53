import { expect } from "chai";
import { objectKinds } from "../../../src/contracts/events.ts";
import {
  createReplayDeliveries,
  lockDeliveryTarget,
  cancelReplayDeliveries,
} from "../../../src/pipeline/ledger/replay-deliveries.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { useDatabase } from "../../support/database.ts";
import {
  anEnterprise,
  anEvent,
  aSubscription,
  type SubscriptionRow,
} from "../../support/factories.ts";
import { fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

describe("replay deliveries", () => {
  const database = useDatabase();
  let sub: SubscriptionRow;
  let replayId: number;
  const aReplay = async (): Promise<number> => {
    const [row] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
         last_sequence, last_event_row_id, created_at)
       VALUES (?, ?, 'running', '{}', 50, 'deliveries', 0, 0, now()) RETURNING id`,
      [sub.enterprise_id, sub.id],
    );
    return row?.id ?? 0;
  };
  beforeEach("a subscription and a replay", async () => {
    const { id } = await anEnterprise(database.db);
    sub = await aSubscription(database.db, { enterprise_id: id });
    replayId = await aReplay();
  });

  /** Creates events; the caller decides whether they have deliveries. */
  const events = async (...keys: string[]) => {
    const made = [];
    for (const key of keys) {
      const event = await anEvent(database.db, { enterprise_id: sub.enterprise_id, key });
      await rowsOf(database.db, "DELETE FROM outbox WHERE event_row_id = ?", [event.id]);
      made.push({
        eventRowId: event.id,
        eventAt: event.occurred_at,
        object: "ticket",
        key,
        replayOf: null,
      });
    }
    return made;
  };
  /** As a replay that was requested after all others, so that it makes what they have made too. */
  const createAll = (input: Awaited<ReturnType<typeof events>>, into = replayId) =>
    inTransaction(database.db, async (trx) => {
      const target = await lockDeliveryTarget(trx, sub.enterprise_id, sub.id);
      const replay = { replayId: into, lastSequence: Number.MAX_SAFE_INTEGER, now: new Date() };
      return target === undefined ? [] : createReplayDeliveries(trx, target, replay, input);
    });
  const cancelAll = () =>
    inTransaction(database.db, async (trx) => {
      const target = await lockDeliveryTarget(trx, sub.enterprise_id, sub.id);
      return (
        target && cancelReplayDeliveries(trx, target, { replayId, now: new Date(), limit: 100 })
      );
    });
  const relay = async (key: string) => {
    await anEvent(database.db, { enterprise_id: sub.enterprise_id, key });
    await fanOutAll(database.db, { ...openLimits(), closed: objectKinds });
  };
  const ledger = async () =>
    (await readLedger(database.db, sub.id)).map(({ sequence, key, state, waits_for }) => [
      sequence,
      key,
      state,
      waits_for,
    ]);
  const lastSequence = async () =>
    (
      await rowsOf<{ last_sequence: number }>(
        database.db,
        "SELECT last_sequence FROM subscription_health WHERE subscription_id = ?",
        [sub.id],
      )
    )[0]?.last_sequence;

  it("get the next sequences, in order of events, each after its predecessor", async () => {
    const value = await events("ticket:1", "ticket:2", "ticket:1");
    await relay("ticket:2");
    const made = await createAll(value.toReversed());
    expect(made.map(({ sequence, eventRowId }) => [sequence, eventRowId])).to.deep.equal(
      value.map(({ eventRowId }, index) => [index + 2, eventRowId]),
    );
    expect(await ledger()).to.deep.equal([
      [1, "ticket:2", "pending", null],
      [2, "ticket:1", "pending", null],
      [3, "ticket:2", "pending", 1],
      [4, "ticket:1", "pending", 2],
    ]);
    expect(await lastSequence()).to.equal(4);
  });

  it("contain an event once per replay, without gaps in the sequences", async () => {
    const [first, second, third] = await events("ticket:1", "ticket:2", "ticket:3");
    await createAll([first!, second!]);
    expect(await createAll([first!, third!, third!, second!])).to.have.lengthOf(1);
    expect(await lastSequence()).to.equal(3);
    const other = await aReplay();
    expect(await createAll([first!], other)).to.have.lengthOf(1);
    expect(await lastSequence()).to.equal(4);
  });

  it("are paused if the subscription is off", async () => {
    await rowsOf(database.db, "UPDATE subscriptions SET is_active = false WHERE id = ?", [sub.id]);
    await createAll(await events("ticket:1"));
    expect(await ledger()).to.deep.equal([[1, "ticket:1", "paused", null]]);
  });

  it("get sequences concurrently with the relay and other replays", async () => {
    const other = await aReplay();
    const raw = await events(...Array.from({ length: 40 }, (_, n) => `ticket:${n % 5}`));
    const parts = [0, 10, 20, 30].map((from) => raw.slice(from, from + 10));
    await Promise.all([
      ...parts.map((part) => createAll(part)),
      ...parts.map((part) => createAll(part, other)),
      relay("ticket:9"),
    ]);
    const rows = await ledger();
    expect(rows.map(([sequence]) => sequence)).to.deep.equal(
      Array.from({ length: 81 }, (_, n) => n + 1),
    );
    expect(await lastSequence()).to.equal(81);
  });

  it("are cancelled if unsent, and their successors wait for the remaining predecessor", async () => {
    await relay("ticket:1");
    await createAll(await events("ticket:1", "ticket:1", "ticket:2"));
    await relay("ticket:1");
    await relay("ticket:2");
    await rowsOf(
      database.db,
      "UPDATE deliveries SET waits_for = 3 WHERE subscription_id = ? AND sequence = 5",
      [sub.id],
    );
    await rowsOf(
      database.db,
      "UPDATE deliveries SET waits_for = 4 WHERE subscription_id = ? AND sequence = 6",
      [sub.id],
    );
    expect(await cancelAll()).to.deep.equal({ cancelled: 3, isMore: false });
    expect(await ledger()).to.deep.equal([
      [1, "ticket:1", "pending", null],
      [2, "ticket:1", "cancelled", null],
      [3, "ticket:1", "cancelled", null],
      [4, "ticket:2", "cancelled", null],
      [5, "ticket:1", "pending", 1],
      [6, "ticket:2", "pending", null],
    ]);
    const ends = await rowsOf(
      database.db,
      `SELECT DISTINCT end_reason, generation, ended_at IS NOT NULL AS has_ended FROM deliveries
       WHERE replay_id = ?`,
      [replayId],
    );
    expect(ends).to.deep.equal([
      { end_reason: "replay_cancelled", generation: 1, has_ended: true },
    ]);
  });

  it("are left to their worker if in flight, and reported as live", async () => {
    const [made] = await createAll(await events("ticket:1", "ticket:2"));
    await rowsOf(database.db, "UPDATE deliveries SET state = 'sending' WHERE id = ?", [made?.id]);
    expect(await cancelAll()).to.deep.equal({ cancelled: 1, isMore: true });
    expect((await ledger()).map(([, , state]) => state)).to.deep.equal(["sending", "cancelled"]);
  });

  it("have no target in another enterprise or in a deleted subscription", async () => {
    const { id: stranger } = await anEnterprise(database.db);
    const poll = (enterpriseId: number) =>
      inTransaction(database.db, (trx) => lockDeliveryTarget(trx, enterpriseId, sub.id));
    expect(await poll(stranger)).to.equal(undefined);
    await rowsOf(
      database.db,
      "UPDATE subscriptions SET is_active = false, deleted_at = now() WHERE id = ?",
      [sub.id],
    );
    expect(await poll(sub.enterprise_id)).to.equal(undefined);
  });
});
