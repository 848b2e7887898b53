import { expect } from "chai";
import type { ClaimedDelivery } from "../../../src/pipeline/ledger/claim.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import type { Settlement } from "../../../src/pipeline/ledger/record-results.ts";
import {
  settleAgain,
  settleAttempts,
  type SettleLimits,
} from "../../../src/pipeline/ledger/settle.ts";
import { recoverStored } from "../../../src/pipeline/ledger/stored-results.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, fillDeliveries, mostRead, mostReadInVain } from "../../support/explain.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { aSettlement, claimAll, fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";

describe("settling again", () => {
  const database = useDatabase();

  /** A subscription with a window of eight, and the deliveries of these keys, as far as they are due. */
  const setUp = async (keys: readonly string[]) => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    for (const key of keys) {
      await anEvent(database.db, { enterprise_id, key });
    }
    return { id, claimed: await claimAll(database.db, await fanOutAll(database.db)) };
  };
  const store = (
    settle: typeof settleAttempts,
    settlements: readonly Settlement[],
    limits: Partial<SettleLimits> = {},
    steady: readonly number[] = [],
  ) =>
    settle(
      {
        ...{ db: database.db, steady: new Set(steady), dueSeen: new Map() },
        ...{ sendDue: () => undefined, writeNotices: async () => undefined },
      },
      settlements,
      { ...openLimits(), ...limits },
    );
  const failed = (one: ClaimedDelivery): Settlement => {
    const settlement = aSettlement(one, {
      ...{ state: "retry", dueAt: new Date(Date.now() + 60_000), congested: true },
    });
    return { ...settlement, record: { ...settlement.record, status: 503 } };
  };
  const healthOf = async (id: number) =>
    (await database.db.transaction((trx) => lockHealth(trx, [id]))).get(id);
  const rowsBy = async (id: number) =>
    (await readLedger(database.db, id)).map(({ state, generation }) => [state, generation]);

  it("changes no health if the first attempt was committed", async () => {
    const { id, claimed } = await setUp(["a", "b"]);
    const results = claimed.map(failed);
    await store(settleAttempts, results);
    const before = await healthOf(id);
    expect(before).to.include({ failuresInRow: 2, windowSize: 4 });
    const again = await store(settleAgain, results);
    expect(again).to.deep.include({ accepted: [true, true], enqueued: [], claimed: [] });
    expect(await healthOf(id)).to.deep.equal(before);
    const [attempts] = await rowsOf<{ count: number }>(
      database.db,
      "SELECT count(*) AS count FROM attempts WHERE delivery_id = ANY(?)",
      [results.map(({ deliveryId }) => deliveryId)],
    );
    expect(attempts?.count).to.equal(2);
  });

  it("stores the results if it was not", async () => {
    const { id, claimed } = await setUp(["a"]);
    const { accepted } = await store(settleAgain, claimed.map(failed));
    expect(accepted).to.deep.equal([true]);
    expect(await healthOf(id)).to.include({ failuresInRow: 1, windowSize: 4 });
  });

  it("counts the result of a worker that lost its lease meanwhile", async () => {
    const { id, claimed } = await setUp(["a"]);
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'pending', generation = generation + 1 WHERE id = ?",
      [claimed[0]!.deliveryId],
    );
    const { accepted } = await store(settleAgain, claimed.map(failed));
    expect(accepted).to.deep.equal([false]);
    expect(await healthOf(id)).to.include({ failuresInRow: 1 });
  });

  for (const isSteady of [false, true]) {
    const name = isSteady ? "steady" : "not steady";
    it(`claims and enqueues again what the first attempt let go (${name})`, async () => {
      const { id, claimed } = await setUp(["a", "b", "c", "a", "b", "c"]);
      if (isSteady) {
        await rowsOf(
          database.db,
          "UPDATE subscription_health SET window_size = ? WHERE subscription_id = ?",
          [openLimits().maxInFlight, id],
        );
      }
      const [first, second, other] = claimed;
      const results = [aSettlement(first!), aSettlement(second!)];
      const slots = { slots: { ticket: 1 } };
      const lost = await store(settleAttempts, results, slots, isSteady ? [id] : []);
      expect([lost.claimed.length, lost.enqueued.length]).to.deep.equal([1, 1]);
      const again = await store(settleAgain, results, slots);
      expect(again.accepted).to.deep.equal([true, true]);
      const idsOf = ({ claimed: some, enqueued }: typeof again) =>
        [...some, ...enqueued].map(({ deliveryId }) => deliveryId);
      expect(idsOf(again)).to.have.members(idsOf(lost));
      expect(again.claimed.map(({ generation }) => generation)).to.deep.equal([3]); // requeued, then claimed
      expect(await rowsBy(id)).to.have.deep.members([
        ...[
          ["delivered", 1],
          ["delivered", 1],
        ],
        ["sending", other!.generation], // by another statement: its worker sends it
        ...[
          ["sending", 3],
          ["queued", 3],
        ],
        ["pending", 0],
      ]);
    });
  }

  it("claims and enqueues what a repetition let go whose answer was lost, too", async () => {
    const { id, claimed } = await setUp(["a", "b", "a", "b"]);
    const results = claimed.map((one) => aSettlement(one));
    const slots = { slots: { ticket: 1 } };
    await store(settleAttempts, results, slots);
    await store(settleAgain, results, slots);
    const again = await store(settleAgain, results, slots);
    expect(again.accepted).to.deep.equal([true, true]);
    expect([again.claimed.length, again.enqueued.length]).to.deep.equal([1, 1]);
    expect(await rowsBy(id)).to.have.deep.members([
      ...[
        ["delivered", 1],
        ["delivered", 1],
      ],
      ...[
        ["sending", 5],
        ["queued", 5],
      ],
    ]);
  });

  it("reads what is in flight, not the backlog or the history", async () => {
    const { id, claimed } = await setUp(["a", "b"]);
    for (const state of ["delivered", "pending"]) {
      await fillDeliveries(database.db, id, { state, count: 3_000, keys: 50 });
    }
    await rowsOf(database.db, "ANALYZE");
    const results = claimed.map(failed);
    await store(settleAttempts, results);
    const plan = await explain(database.db, (trx) => recoverStored(trx, results));
    expect(mostRead(plan)).to.be.lessThan(50);
    expect(mostReadInVain(plan)).to.be.lessThan(50);
  });
});
