import { expect } from "chai";
import type { ObjectKind } from "../../../src/contracts/events.ts";
import type { HandedOut } from "../../../src/pipeline/ledger/hand-out.ts";
import { handOutDue } from "../../../src/pipeline/schedule/due.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { openLimits } from "../../support/ledger.ts";

describe("handing out what is due", () => {
  const database = useDatabase();
  const now = new Date("2026-11-22T10:00:00Z");

  beforeEach("nothing is left to do of other subscriptions", async () => {
    await rowsOf(database.db, "UPDATE deliveries SET state = 'delivered'");
  });

  const aDueSubscription = async (health: { probe_at?: Date } = {}): Promise<number> => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id });
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET probe_at = ? WHERE subscription_id = ?",
      [health.probe_at ?? null, id],
    );
    await database.db("deliveries").insert(
      [1, 2].map((sequence) => ({
        ...{ enterprise_id, subscription_id: id, sequence, event_id: sequence, event_at: now },
        ...{ object: "ticket", key: `ticket:${sequence}`, state: "pending", due_at: now },
      })),
    );
    return id;
  };
  const pass = async (
    maxProbes: number,
    closed: ObjectKind[] = [],
  ): Promise<Map<number, number>> => {
    const handedOut: HandedOut[] = [];
    await handOutDue({
      db: database.db,
      maxProbes,
      dispatcher: {
        limits: () => ({ ...openLimits(now), closed }),
        dispatch: async (hints) => void handedOut.push(...hints),
      },
    });
    const rows = await rowsOf<{ subscription_id: number; count: number }>(
      database.db,
      `SELECT subscription_id, count(*) AS count FROM deliveries
       WHERE id = ANY(?::bigint[]) GROUP BY 1`,
      [handedOut.map((one) => one.deliveryId)],
    );
    return new Map(rows.map((row) => [row.subscription_id, row.count]));
  };

  it("probes receivers that only fail, a bounded number of them at a time, oldest first", async () => {
    const well = await aDueSubscription();
    const open: number[] = [];
    for (const seconds of [50, 40, 30, 20]) {
      open.push(await aDueSubscription({ probe_at: new Date(now.getTime() - seconds * 1_000) }));
    }
    const early = await aDueSubscription({ probe_at: new Date(now.getTime() + 1) });
    const first = await pass(3);
    expect([...first]).to.have.deep.members([
      [well, 2],
      [open[0], 1],
      [open[1], 1],
      [open[2], 1],
    ]);
    expect([...(await pass(3))]).to.deep.equal([]);
    await rowsOf(
      database.db,
      "UPDATE deliveries SET state = 'delivered' WHERE subscription_id = ? AND state = 'queued'",
      [open[0]!],
    );
    // Its second delivery is due, and it is its turn before the one that has not been probed yet.
    const third = await pass(4);
    expect([...third.keys()]).to.have.members([open[0], open[3]]);
    expect(third.has(early)).to.equal(false);
  });

  it("probes the others where the queue of the longest waiting takes nothing", async () => {
    const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
    const stuck = [
      await aDueSubscription({ probe_at: secondsAgo(60) }),
      await aDueSubscription({ probe_at: secondsAgo(50) }),
    ];
    const other = await aDueSubscription({ probe_at: secondsAgo(40) });
    await rowsOf(database.db, "UPDATE deliveries SET object = 'media' WHERE subscription_id = ?", [
      other,
    ]);
    expect([...(await pass(2, ["ticket"])).keys()]).to.deep.equal([other]);
    expect([...(await pass(2)).keys()]).to.deep.equal([stuck[0]]);
  });
});
