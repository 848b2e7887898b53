import { expect } from "chai";
import { createAudit } from "../../../src/audit/audit-log.ts";
import { enqueueDue } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { lockHealth } from "../../../src/pipeline/ledger/health.ts";
import { retryNow } from "../../../src/pipeline/ledger/retry-now.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { retryRoutes } from "../../../src/deliveries/retries/routes.ts";
import { createRetries } from "../../../src/deliveries/retries/service.ts";
import { serveCallers, type Call, type CallersApi } from "../../support/callers-api.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { aSubscription, type SubscriptionRow } from "../../support/factories.ts";
import { openLimits, readLedger } from "../../support/ledger.ts";
import { seedPast, type Seed } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

const hourMs = 3_600_000;

describe("manual retries", () => {
  const database = useDatabase();
  const clock = createTestClock(new Date());
  let api: CallersApi;
  let sub: SubscriptionRow;
  let call: Call;
  let woken = 0;
  before("start the operations", async () => {
    const { db } = database;
    const onDue = () => void (woken += 1);
    api = await serveCallers(
      retryRoutes(createRetries({ db, clock, audit: createAudit(), onDue })),
    );
  });
  beforeEach("make a webhook in a new enterprise", async () => {
    const admin = await aCaller(database.db);
    const input = { enterprise_id: admin.enterpriseId, filters: ["ticket.*"] };
    [sub, call] = [await aSubscription(database.db, input), api.as(admin)];
    woken = 0;
  });
  after("stop the operations", () => api.close());

  const at = (inMs: number): Date => new Date(clock.now().getTime() + inMs);
  /** Deliveries that failed once each, with retries an hour apart. */
  const failing = async (count: number, seed: Seed = {}): Promise<number[]> => {
    const some = Array.from({ length: count }, (_, index) => ({
      ...{ state: "retry", key: `ticket:${index}` },
      ...seed,
    }));
    const ids = (await seedPast(database.db, sub, some)).map(({ deliveryId }) => deliveryId ?? 0);
    for (const [index, id] of ids.entries()) {
      await change(id, { attempts: 1, due_at: at((index + 1) * hourMs) });
    }
    return ids;
  };
  const change = (id: number, columns: object) =>
    database.db("deliveries").where({ id }).update(columns);
  const openCircuit = (columns: object = {}) =>
    database
      .db("subscription_health")
      .where({ subscription_id: sub.id })
      .update({ probe_at: at(60_000), failures_in_row: 20, window_size: 1, ...columns });
  const probeAt = async (): Promise<Date | null> =>
    (
      await rowsOf<{ probe_at: Date | null }>(
        database.db,
        "SELECT probe_at FROM subscription_health WHERE subscription_id = ?",
        [sub.id],
      )
    )[0]?.probe_at ?? null;
  const enqueueNow = (mayProbe = false) =>
    inTransaction(database.db, async (trx) => {
      await lockHealth(trx, [sub.id]);
      return enqueueDue(trx, [sub.id], { ...openLimits(clock.now()), mayProbe });
    });
  const audited = (id: number) =>
    rowsOf<{ changes: Record<string, unknown> }>(
      database.db,
      "SELECT changes FROM audit_entries WHERE object = 'webhook' AND object_id = ? ORDER BY id",
      [String(id)],
    );

  it("make the next attempt of one delivery due, and of no other", async () => {
    const [first, second] = await failing(2);
    const { status, body } = await call("POST", `/webhooks/deliveries/${second}/retry`);
    expect(status).to.equal(202);
    expect(body).to.deep.include({ id: second, webhook: sub.id, throttled_until: null });
    expect(body["probed"]).to.equal(false);
    expect((await enqueueNow()).map(({ deliveryId }) => deliveryId)).to.deep.equal([second]);
    const [left, sent] = await readLedger(database.db, sub.id);
    expect([left?.id, left?.state, left?.due_at]).to.deep.equal([first, "retry", at(hourMs)]);
    expect([sent?.state, sent?.attempts]).to.deep.equal(["queued", 1]);
    expect(woken).to.equal(1);
    expect((await audited(sub.id)).map(({ changes }) => changes)).to.deep.equal([
      { retry: { to: { deliveries: [second] } } },
    ]);
  });

  it("precede a backlog of due retries", async () => {
    const ids = await failing(4);
    for (const id of ids.slice(0, 3)) {
      await change(id, { due_at: at(-hourMs) });
    }
    await change(ids[0] ?? 0, { due_at: at(-2 * hourMs) });
    await database
      .db("subscription_health")
      .where({ subscription_id: sub.id })
      .update({ window_size: 2 });
    await call("POST", `/webhooks/deliveries/${ids[3]}/retry`);
    expect((await enqueueNow()).map(({ deliveryId }) => deliveryId)).to.deep.equal([
      ids[0],
      ids[3],
    ]);
  });

  it("report for a selection what was done, and why not for the others", async () => {
    const [retry, queued, dead, waiting, paused, due] = await failing(6);
    await change(queued ?? 0, { state: "queued" });
    await change(dead ?? 0, { state: "dead", ended_at: at(0) });
    await change(waiting ?? 0, { state: "pending", attempts: 0, waits_for: 1 });
    await change(paused ?? 0, { state: "paused" });
    await change(due ?? 0, { state: "pending", attempts: 0 });
    const { status, body } = await call("POST", "/webhooks/deliveries/retry", {
      deliveries: [retry, queued, dead, waiting, paused, due, 999_999_999],
    });
    expect(status).to.equal(200);
    expect((body["retried"] as { id: number }[]).map(({ id }) => id)).to.deep.equal([retry]);
    const refused = body["refused"] as { id: number; reason: string }[];
    expect(refused.map(({ id, reason }) => [id, reason])).to.deep.equal([
      [queued, "in_flight"],
      [dead, "ended"],
      [waiting, "waits"],
      [paused, "webhook_off"],
      [due, "due"],
      [999_999_999, "not_found"],
    ]);
  });

  it("refuse more than 500, an empty list, and duplicates", async () => {
    const many = Array.from({ length: 501 }, (_, index) => index + 1);
    for (const deliveries of [many, [], [1, 1]]) {
      const { status } = await call("POST", "/webhooks/deliveries/retry", { deliveries });
      expect(status, `${deliveries.length}`).to.equal(400);
    }
  });

  it("refuse a delivery without a retry, and find none of another enterprise", async () => {
    const [id] = await failing(1);
    const stranger = api.as(await aCaller(database.db));
    expect((await stranger("POST", `/webhooks/deliveries/${id}/retry`)).status).to.equal(404);
    const many = await stranger("POST", "/webhooks/deliveries/retry", { deliveries: [id] });
    expect(many.body["retried"]).to.deep.equal([]);
    expect(many.body["refused"][0]["reason"]).to.equal("not_found");
    expect((await readLedger(database.db, sub.id))[0]?.due_at).to.deep.equal(at(hourMs));
    await change(id ?? 0, { state: "delivered", ended_at: at(0) });
    const refused = await call("POST", `/webhooks/deliveries/${id}/retry`);
    expect([refused.status, refused.body["detail"]]).to.deep.equal([
      409,
      `Delivery ${id} is delivered: replay it instead.`,
    ]);
  });

  it("wait for a concurrent enqueue, and then change nothing", async () => {
    const [id] = await failing(1);
    await change(id ?? 0, { due_at: at(-1_000) });
    const { outcome } = await inTransaction(database.db, async (trx) => {
      await lockHealth(trx, [sub.id]);
      const enqueued = await enqueueDue(trx, [sub.id], openLimits(clock.now()));
      expect(enqueued.length).to.equal(1);
      // The request starts while the lock is held, and continues after the commit.
      return { outcome: call("POST", `/webhooks/deliveries/${id}/retry`) };
    });
    expect((await outcome).status).to.equal(409);
    const [row] = await readLedger(database.db, sub.id);
    expect([row?.state, row?.generation]).to.deep.equal(["queued", 1]);
  });

  it("change nothing after a rollback", async () => {
    const [id] = await failing(1);
    const { enterprise_id: enterpriseId } = sub;
    await openCircuit();
    const crash = inTransaction(database.db, async (trx) => {
      await retryNow(trx, { enterpriseId, ids: [id ?? 0], now: clock.now() });
      throw new Error("crash");
    });
    expect(await crash.catch((thrown: Error) => thrown.message)).to.equal("crash");
    expect((await readLedger(database.db, sub.id))[0]?.due_at).to.deep.equal(at(hourMs));
    expect(await probeAt()).to.deep.equal(at(60_000));
  });

  it("become the probe of an open circuit", async () => {
    const [id] = await failing(2);
    await openCircuit();
    const { body } = await call("POST", "/webhooks/deliveries/retry", { deliveries: [id] });
    expect(body["retried"][0]["probed"]).to.equal(true);
    expect((await enqueueNow(true)).map(({ deliveryId }) => deliveryId)).to.deep.equal([id]);
  });

  it("do not override a throttled receiver", async () => {
    const [id] = await failing(1);
    await database
      .db("subscription_health")
      .where({ subscription_id: sub.id })
      .update({ throttled_until: at(hourMs) });
    const { body } = await call("POST", `/webhooks/deliveries/${id}/retry`);
    expect(body["throttled_until"]).to.be.a("string");
    expect(await enqueueNow()).to.deep.equal([]);
  });

  describe("a probe", () => {
    const probe = () => call("POST", `/webhooks/${sub.id}/probe`);

    it("is due immediately, with the next retry if nothing is due", async () => {
      const [first] = await failing(2);
      await openCircuit();
      const { status, body } = await probe();
      expect([status, body["webhook"]]).to.deep.equal([202, sub.id]);
      expect(await probeAt()).to.deep.equal(clock.now());
      expect((await enqueueNow(true)).map(({ deliveryId }) => deliveryId)).to.deep.equal([first]);
      expect(woken).to.equal(1);
      expect((await audited(sub.id)).length).to.equal(1);
    });

    it("is refused with a closed circuit, or with nothing to send", async () => {
      await failing(1);
      expect((await probe()).body["detail"]).to.contain("Its circuit is closed");
      await openCircuit({ throttled_until: at(hourMs) });
      expect((await probe()).body["detail"]).to.contain("receiver is throttled until");
      await openCircuit({ throttled_until: null });
      await database.db("deliveries").where({ subscription_id: sub.id }).delete();
      expect((await probe()).body["detail"]).to.contain("has no waiting deliveries");
      const off = { is_active: false };
      await database.db("subscriptions").where({ id: sub.id }).update(off);
      expect((await probe()).status).to.equal(409);
      const stranger = api.as(await aCaller(database.db));
      expect((await stranger("POST", `/webhooks/${sub.id}/probe`)).status).to.equal(404);
    });
  });
});
