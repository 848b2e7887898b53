import { expect } from "chai";
import type { ObjectKind } from "../../../src/contracts/events.ts";
import type { EnqueuedDelivery } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { runDuePass } from "../../../src/pipeline/schedule/due.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { openLimits } from "../../support/ledger.ts";

describe("the due pass", () => {
  const database = useDatabase();
  const now = new Date("2026-11-22T10:00:00Z");

  beforeEach("end the deliveries of other subscriptions", async () => {
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
        ...{ enterprise_id, subscription_id: id, sequence, event_row_id: sequence, event_at: now },
        ...{ object: "ticket", key: `ticket:${sequence}`, state: "pending", due_at: now },
      })),
    );
    return id;
  };
  const run = async (
    maxProbes: number,
    { closed = [], at = now }: { closed?: ObjectKind[]; at?: Date } = {},
  ): Promise<{ enqueued: EnqueuedDelivery[]; nextInMs: number }> => {
    const enqueued: EnqueuedDelivery[] = [];
    const { nextInMs } = await runDuePass({
      db: database.db,
      maxProbes,
      dispatcher: {
        limits: () => ({ ...openLimits(at), closed }),
        dispatch: async (jobs) => void enqueued.push(...jobs),
      },
    });
    return { enqueued, nextInMs };
  };
  const pass = async (
    maxProbes: number,
    closed: ObjectKind[] = [],
  ): Promise<Map<number, number>> => {
    const { enqueued: enqueuedJobs } = await run(maxProbes, { closed });
    const rows = await rowsOf<{ subscription_id: number; count: number }>(
      database.db,
      `SELECT subscription_id, count(*) AS count FROM deliveries
       WHERE id = ANY(?::bigint[]) GROUP BY 1`,
      [enqueuedJobs.map((one) => one.deliveryId)],
    );
    return new Map(rows.map((row) => [row.subscription_id, row.count]));
  };

  it("probes failing receivers, a bounded number at a time, oldest first", async () => {
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
    // open[0] is due again for its second delivery, and precedes open[3], which was not probed yet.
    const third = await pass(4);
    expect([...third.keys()]).to.have.members([open[0], open[3]]);
    expect(third.has(early)).to.equal(false);
  });

  it("probes others if the queue of the longest waiting is closed", async () => {
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

  const inMs = (ms: number): Date => new Date(now.getTime() + ms);

  it("runs again when the next retry is due, and after half a second without one", async () => {
    const id = await aDueSubscription();
    const other = await aDueSubscription();
    const due = async (subscriptionId: number, at: Date) =>
      rowsOf(
        database.db,
        "UPDATE deliveries SET state = 'retry', due_at = ? WHERE subscription_id = ?",
        [at, subscriptionId],
      );
    await due(id, inMs(5_000));
    await due(other, inMs(2_000));
    expect((await run(1)).nextInMs).to.equal(500);
    await due(id, inMs(430));
    await due(other, inMs(340));
    expect(await run(1)).to.deep.equal({ enqueued: [], nextInMs: 340 });
    expect((await run(1, { at: inMs(330) })).nextInMs).to.equal(50);
    const next = await run(1, { at: inMs(340) });
    expect(next.enqueued).to.have.length(2);
  });

  it("runs again when a rate has capacity or a probe is due, whichever is earlier", async () => {
    const throttled = await aDueSubscription();
    const open = await aDueSubscription({ probe_at: inMs(410) });
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET throttled_until = ? WHERE subscription_id = ?",
      [inMs(320), throttled],
    );
    expect(await run(1)).to.deep.equal({ enqueued: [], nextInMs: 320 });
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET throttled_until = ? WHERE subscription_id = ?",
      [inMs(3_000), throttled],
    );
    expect(await run(1)).to.deep.equal({ enqueued: [], nextInMs: 410 });
    expect((await run(1, { at: inMs(410) })).enqueued.map((one) => one.deliveryId)).to.have.length(
      1,
    );
    await rowsOf(
      database.db,
      "UPDATE subscription_health SET probe_at = NULL WHERE subscription_id = ?",
      [open],
    );
  });

  it("runs again soon if something is due and its queue is closed", async () => {
    await aDueSubscription();
    expect(await run(1, { closed: ["ticket"] })).to.deep.equal({ enqueued: [], nextInMs: 250 });
  });
});
