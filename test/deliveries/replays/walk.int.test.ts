import { expect } from "chai";
import { parseCriteria, type CriteriaInput } from "../../../src/deliveries/replays/criteria.ts";
import type { WalkPosition } from "../../../src/deliveries/replays/model.ts";
import type { ReplayScope } from "../../../src/deliveries/replays/walk-chunks.ts";
import { readChunk, startOf } from "../../../src/deliveries/replays/walk.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { explain, fillDeliveries, mostRead } from "../../support/explain.ts";
import { anEnterprise, aSubscription } from "../../support/factories.ts";
import { seedPast } from "../../support/replays.ts";

describe("the walk of a replay", () => {
  const database = useDatabase();

  const aScope = async (input: CriteriaInput) => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const sub = await aSubscription(database.db, { enterprise_id: enterpriseId });
    const scopeNow = async (): Promise<ReplayScope> => {
      const [row] = await rowsOf<{ sequence: number; event: number }>(
        database.db,
        `SELECT (SELECT coalesce(max(sequence), 0) FROM deliveries WHERE subscription_id = ?)
           AS sequence, (SELECT coalesce(max(id), 0) FROM events) AS event`,
        [sub.id],
      );
      return {
        enterpriseId,
        subscriptionId: sub.id,
        criteria: parseCriteria(input, new Date()),
        matching: { filters: ["ticket.*"], conditions: null },
        lastSequence: row?.sequence ?? 0,
        lastEventRowId: row?.event ?? 0,
        created: new Date(),
        logSince: new Date(Date.now() - 30 * 86_400_000),
      };
    };
    return { sub, scopeNow };
  };

  const walk = async (scope: ReplayScope, limits: { scanLimit: number; matchLimit: number }) => {
    const met: number[] = [];
    let place: WalkPosition = startOf(scope);
    while (place.phase !== "end") {
      const chunk = await readChunk(database.db, scope, place, limits);
      expect(chunk.found.length).to.be.at.most(limits.matchLimit);
      met.push(...chunk.found.map(({ eventRowId }) => eventRowId));
      place = chunk.next;
    }
    return met;
  };

  it("finds the same events for any step size", async () => {
    const { sub, scopeNow } = await aScope({ status: "dead,delivered,never_attempted" });
    const states = ["dead", "delivered", undefined, "cancelled", "retry"];
    const seeded = await seedPast(
      database.db,
      sub,
      Array.from({ length: 60 }, (_, n) => {
        const state = states[n % states.length];
        return state === undefined ? {} : { state };
      }),
    );
    const scope = await scopeNow();
    const wanted = [
      ...seeded.filter((_, n) => n % 5 < 2),
      ...seeded.filter((_, n) => n % 5 === 2),
    ].map(({ eventRowId }) => eventRowId);
    for (const limits of [
      { scanLimit: 1_000, matchLimit: 1_000 },
      { scanLimit: 7, matchLimit: 1_000 },
      { scanLimit: 1_000, matchLimit: 3 },
      { scanLimit: 7, matchLimit: 7 },
      { scanLimit: 1, matchLimit: 1 },
    ]) {
      expect(await walk(scope, limits), JSON.stringify(limits)).to.deep.equal(wanted);
    }
  });

  it("continues past deleted deliveries", async () => {
    const { sub, scopeNow } = await aScope({ status: "delivered" });
    const seeded = await seedPast(
      database.db,
      sub,
      Array.from({ length: 9 }, () => ({ state: "delivered" })),
    );
    const scope = await scopeNow();
    await rowsOf(database.db, "DELETE FROM deliveries WHERE subscription_id = ? AND sequence < 6", [
      sub.id,
    ]);
    expect(await walk(scope, { scanLimit: 2, matchLimit: 2 })).to.deep.equal(
      seeded.slice(5).map(({ eventRowId }) => eventRowId),
    );
  });

  it("finds few dead deliveries among many without reading the others", async () => {
    const { sub, scopeNow } = await aScope({});
    await fillDeliveries(database.db, sub.id, { state: "delivered", count: 20_000, keys: 100 });
    await fillDeliveries(database.db, sub.id, { state: "dead", count: 20, keys: 20 });
    await rowsOf(database.db, "ANALYZE deliveries");
    const scope = await scopeNow();
    const limits = { scanLimit: 5_000, matchLimit: 500 };
    const plan = await explain(database.db, (trx) => readChunk(trx, scope, startOf(scope), limits));
    expect(mostRead(plan)).to.be.at.most(25);
  });

  it("reads at most one step's rows of a long history", async () => {
    const { sub, scopeNow } = await aScope({ status: "delivered", result: "5xx" });
    await fillDeliveries(database.db, sub.id, { state: "delivered", count: 20_000, keys: 100 });
    await rowsOf(database.db, "ANALYZE deliveries");
    const scope = await scopeNow();
    const plan = await explain(database.db, (trx) =>
      readChunk(trx, scope, startOf(scope), { scanLimit: 1_000, matchLimit: 500 }),
    );
    expect(mostRead(plan)).to.be.at.most(1_000);
  });

  it("starts near its period, not at the first delivery", async () => {
    const hour = 3_600_000;
    const { sub, scopeNow } = await aScope({
      status: "delivered",
      since: new Date(Date.now() - hour).toISOString(),
    });
    const old = new Date(Date.now() - 5 * hour);
    const value = { state: "delivered", keys: 100 };
    await fillDeliveries(database.db, sub.id, { ...value, count: 5_000, createdAt: old });
    await fillDeliveries(database.db, sub.id, { ...value, count: 50 });
    const scope = await scopeNow();
    const first = await readChunk(database.db, scope, startOf(scope), {
      scanLimit: 40,
      matchLimit: 40,
    });
    expect(first.next.position).to.be.greaterThan(5_000);
  });
});
