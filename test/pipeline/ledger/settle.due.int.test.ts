import { expect } from "chai";
import type { ClaimedDelivery } from "../../../src/pipeline/ledger/claim.ts";
import type { DueSeen } from "../../../src/pipeline/ledger/earliest-due.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { writeSteadyResults } from "../../../src/pipeline/ledger/record-results.ts";
import { settleAttempts } from "../../../src/pipeline/ledger/settle.ts";
import { type Db, openPool, rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";
import { untilWaiting } from "../../support/waiting.ts";

describe("what a settlement of steady subscriptions does about due deliveries", () => {
  const database = useDatabase();
  /** Later than the events. */
  const now = new Date(Date.now() + 60_000);
  const nothingSeen = (agoMs = 0): DueSeen => ({
    askedMs: now.getTime() - agoMs,
    dueMs: Number.NEGATIVE_INFINITY,
  });

  /** A steady subscription with a claimed delivery for each key. */
  const aSteadyOne = async (keys: readonly string[]) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET window_size = ? WHERE subscription_id = ?",
      [openLimits().maxInFlight, id],
    );
    for (const key of keys) {
      await anEvent(database.db, { enterprise_id, key });
    }
    const claimed = await claimAll(database.db, await fanOutAll(database.db));
    await rowsOf(database.db, "UPDATE subscription_health SET earliest_due_until = '-infinity'");
    return { id, claimed };
  };
  const settle = (
    claimed: readonly ClaimedDelivery[],
    dueSeen: Map<number, DueSeen>,
    { slots = {}, db = database.db }: { slots?: { ticket?: number }; db?: Db } = {},
  ) =>
    settleAttempts(
      {
        db,
        steady: new Set(claimed.map(({ subscriptionId }) => subscriptionId)),
        dueSeen,
        sendDue: () => undefined,
        writeNotices: async () => undefined,
      },
      claimed.map((one) => aSettlement(one)),
      { ...openLimits(now), slots },
    );
  /** Enqueueing stores until when the bound of what is due is known. */
  const hasAsked = async (id: number): Promise<boolean> => {
    const [row] = await rowsOf<{ has_asked: boolean }>(
      database.db,
      `SELECT earliest_due_until > '-infinity' AS has_asked FROM subscription_health
       WHERE subscription_id = ?`,
      [id],
    );
    return row?.has_asked === true;
  };
  const makeDue = (deliveryId: number) =>
    rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'pending', due_at = now() - interval '1 second' WHERE id = ?",
      [deliveryId],
    );
  const statesOf = async (id: number) =>
    (await readLedger(database.db, id)).map(({ state }) => state);

  it("does not try to enqueue while nothing was due", async () => {
    const { id, claimed } = await aSteadyOne(["a"]);
    const seen = new Map([[id, nothingSeen()]]);
    expect((await settle(claimed, seen)).accepted).to.deep.equal([true]);
    expect(await hasAsked(id)).to.equal(false);
    expect(seen.get(id)).to.deep.equal(nothingSeen());
  });

  for (const [name, seen] of [
    ["for the first time", undefined],
    ["if it last did 250 ms ago", nothingSeen(250)],
    ["if something was due 100 ms ago", { ...nothingSeen(), dueMs: now.getTime() - 100 }],
    ["if the clock was set back since", nothingSeen(-60_000)],
  ] as const) {
    it(`tries to enqueue ${name}`, async () => {
      const { id, claimed } = await aSteadyOne(["a"]);
      const dueSeen = new Map(seen === undefined ? [] : [[id, seen]]);
      await settle(claimed, dueSeen);
      expect(await hasAsked(id)).to.equal(true);
      expect(dueSeen.get(id)?.askedMs).to.equal(now.getTime());
    });
  }

  it("enqueues the successors that it releases, although nothing was expected", async () => {
    const { id, claimed } = await aSteadyOne(["a", "a"]);
    const seen = new Map([[id, nothingSeen()]]);
    expect((await settle(claimed, seen)).enqueued).to.have.length(1);
    expect(await statesOf(id)).to.deep.equal(["delivered", "queued"]);
    expect(seen.get(id)?.dueMs).to.equal(now.getTime());
  });

  it("claims what is due, although nothing was expected, for the slots that are left", async () => {
    const first = await aSteadyOne(["a", "b"]);
    const second = await aSteadyOne(["c", "d", "e"]);
    await makeDue(first.claimed[1]!.deliveryId);
    await makeDue(second.claimed[1]!.deliveryId);
    await makeDue(second.claimed[2]!.deliveryId);
    const seen = new Map([[second.id, nothingSeen()]]);
    const sent = [first.claimed[0]!, second.claimed[0]!];
    const { accepted, claimed, enqueued } = await settle(sent, seen, { slots: { ticket: 2 } });
    expect(accepted).to.deep.equal([true, true]);
    expect(claimed.map(({ subscriptionId }) => subscriptionId)).to.deep.equal([
      first.id,
      second.id,
    ]);
    expect(enqueued).to.have.length(1);
  });

  it("names what is due in one row, however many results it stores", async () => {
    const ones = [await aSteadyOne(["a", "a"]), await aSteadyOne(["b", "b"])];
    const subscriptionIds = ones.map(({ id }) => id);
    const settlements = ones.map(({ claimed }) => aSettlement(claimed[0]!));
    const { rows, due } = await database.db.transaction(async (trx) => {
      await lockHealth(trx, subscriptionIds);
      const expected = { subscriptionIds, ceiling: openLimits().maxInFlight };
      return writeSteadyResults(trx, settlements, expected, now);
    });
    expect(due).to.have.members(subscriptionIds);
    const lists = rows.map((row) => Reflect.get(row, "due") !== null);
    expect(lists).to.have.members([true, false]);
  });

  it("sees what was inserted while it waited for the lock", async () => {
    const { id, claimed } = await aSteadyOne(["a", "b"]);
    const relay = await database.db.transaction();
    await lockHealth(relay, [id]);
    const settling = settle([claimed[0]!], new Map([[id, nothingSeen()]]));
    await untilWaiting(database.db);
    await rowsOf(relay, "UPDATE deliveries SET state = 'pending', due_at = ? WHERE id = ?", [
      new Date(now.getTime() - 1),
      claimed[1]!.deliveryId,
    ]);
    await relay.commit();
    expect((await settling).enqueued).to.have.length(1);
  });

  it("locks again before it enqueues what was not expected", async () => {
    const { id, claimed } = await aSteadyOne(["a", "a"]);
    const pool = openPool({ url: database.url, maxConnections: 1, name: "test" });
    try {
      const first = await database.db.transaction();
      await lockHealth(first, [id]);
      const settling = settle(claimed, new Map([[id, nothingSeen()]]), { db: pool });
      await untilWaiting(database.db);
      // Next in the queue for the only connection, so it runs between the two transactions.
      const between = pool.transaction();
      await first.commit();
      const connection = await between; // the results are stored
      const second = await database.db.transaction();
      await lockHealth(second, [id]);
      await connection.rollback();
      await untilWaiting(database.db);
      await rowsOf(
        second,
        "UPDATE subscription_health SET throttled_until = ? WHERE subscription_id = ?",
        [new Date(now.getTime() + 60_000), id],
      );
      await second.commit();
      expect((await settling).enqueued).to.deep.equal([]);
      expect(await statesOf(id)).to.deep.equal(["delivered", "pending"]);
    } finally {
      await pool.destroy();
    }
  });

  it("keeps the results if that fails", async () => {
    const { id, claimed } = await aSteadyOne(["a", "a"]);
    await database.db.raw(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON deliveries FOR EACH ROW
        WHEN (NEW.state = 'queued') EXECUTE FUNCTION refuse()`);
    try {
      const { accepted, enqueued } = await settle(claimed, new Map([[id, nothingSeen()]]));
      expect({ accepted, enqueued }).to.deep.equal({ accepted: [true], enqueued: [] });
      expect(await statesOf(id)).to.deep.equal(["delivered", "pending"]);
    } finally {
      await database.db.raw("DROP FUNCTION refuse CASCADE");
    }
  });
});
