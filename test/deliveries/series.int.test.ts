import { expect } from "chai";
import type { Caller } from "../../src/http/route.ts";
import { tallyAttempts } from "../../src/pipeline/schedule/tallies.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { addAttempt } from "../support/attempts.ts";
import { createTestClock } from "../support/clock.ts";
import { useDatabase } from "../support/database.ts";
import { aSubscription } from "../support/factories.ts";
import { startLiveApi, type LiveApi } from "../support/live-api.ts";
import { untilWaiting } from "../support/waiting.ts";
import { aCaller } from "../support/webhook-api.ts";

type Point = {
  at: string;
  delivered: number;
  failed: number;
  answer_ms: { p50: number; p99: number };
};

describe("GET /webhooks/series", () => {
  const database = useDatabase();
  const waiting = (count?: number) => untilWaiting(database.db, count);
  const clock = createTestClock(new Date("2026-11-20T12:00:00Z"));
  let api: LiveApi;
  let admin: Caller;
  let ids: number[];
  before(async () => {
    api = await startLiveApi(database.db, { clock });
    admin = await aCaller(database.db);
    const { enterpriseId } = admin;
    const enterprise_id = enterpriseId;
    const stranger = await aCaller(database.db);
    const made = await Promise.all([
      aSubscription(database.db, { enterprise_id }),
      aSubscription(database.db, { enterprise_id }),
    ]);
    ids = made.map(({ id }) => id);
    const foreign = await aSubscription(database.db, { enterprise_id: stranger.enterpriseId });
    const add = (subscriptionId: number, minutesAgo: number, more = {}) =>
      addAttempt(
        database.db,
        { enterpriseId, subscriptionId },
        { at: new Date(clock.now().getTime() - minutesAgo * 60_000), ...more },
      );
    await add(ids[0] ?? 0, 30);
    await add(ids[0] ?? 0, 30, { status: 500 });
    await add(ids[1] ?? 0, 30, { ms: 400 });
    await add(ids[1] ?? 0, 26 * 60);
    await addAttempt(
      database.db,
      { enterpriseId: stranger.enterpriseId, subscriptionId: foreign.id },
      { at: new Date(clock.now().getTime() - 30 * 60_000) },
    );
    ids.push(foreign.id);
    await tallyAttempts({ db: database.db, clock });
  });
  after(() => api.close());

  const get = (query = "") => api.as(admin)("GET", `/webhooks/series${query}`);
  const filled = (points: readonly Point[]): Point[] =>
    points.filter(({ delivered, failed }) => delivered + failed > 0);

  it("returns one point per step, including empty ones, over all webhooks", async () => {
    const { status, body } = await get();
    expect(status).to.equal(200);
    expect(body).to.deep.include({ step_seconds: 10, webhook: null });
    expect(body["data"]).to.have.length(360);
    expect(body["counted_until"]).to.equal("2026-11-20T12:00:00+00:00");
    const [point, ...others] = filled(body["data"]);
    expect(others).to.deep.equal([]);
    expect(point).to.deep.include({ at: "2026-11-20T11:30:00+00:00", delivered: 2, failed: 1 });
    expect(body["data"][0]).to.deep.include({
      delivered: 0,
      latency_ms: { p50: null, p95: null, p99: null },
    });
    expect(point?.answer_ms.p50).to.be.within(15, 25);
    expect(point?.answer_ms.p99).to.be.within(340, 520);
  });

  it("filters by webhook, and returns nothing of another enterprise", async () => {
    const { body } = await get(`?webhookId=${ids[1]}`);
    expect(body["webhook"]).to.equal(ids[1]);
    expect(filled(body["data"]).map(({ delivered, failed }) => [delivered, failed])).to.deep.equal([
      [1, 0],
    ]);
    expect((await get(`?webhookId=${ids[2]}`)).status).to.equal(404);
  });

  it("uses longer steps for longer periods, summed from shorter ones", async () => {
    const day = await get("?since=2026-11-18&until=2026-11-20");
    expect(day.body).to.deep.include({ step_seconds: 600 });
    const year = await get("?since=2026-01-01&until=2026-11-20");
    expect(year.body).to.deep.include({ step_seconds: 86_400 });
    expect(
      filled(year.body["data"]).map(({ at, delivered, failed }) => [at, delivered, failed]),
    ).to.deep.equal([
      ["2026-11-19T00:00:00+00:00", 1, 0],
      ["2026-11-20T00:00:00+00:00", 2, 1],
    ]);
  });

  it("limits long periods that are read at once", async () => {
    const long = "?since=2026-01-01&until=2026-11-20";
    const reading: ReturnType<typeof get>[] = [];
    await inTransaction(database.db, async (trx) => {
      await trx.raw("LOCK TABLE delivery_tallies IN ACCESS EXCLUSIVE MODE");
      reading.push(get(long), get(long));
      await waiting(2);
      expect((await get(long)).body).to.include({ status: 429, code: 12 });
      reading.push(get());
      await waiting(3);
    });
    expect((await Promise.all(reading)).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  it("refuses an invalid period", async () => {
    expect((await get("?since=soon")).status).to.equal(400);
    expect((await get("?since=2026-11-20&until=2026-11-18")).status).to.equal(400);
  });
});
