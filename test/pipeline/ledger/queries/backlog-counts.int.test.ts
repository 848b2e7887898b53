import { expect } from "chai";
import type { Caller } from "../../../../src/http/route.ts";
import { rowsOf } from "../../../../src/platform/db/pool.ts";
import { toTimestamp } from "../../../../src/platform/timestamps.ts";
import { readBacklogCounts } from "../../../../src/pipeline/ledger/queries/backlog-counts.ts";
import { createTestClock, type TestClock } from "../../../support/clock.ts";
import { useDatabase } from "../../../support/database.ts";
import { explain, fillDeliveries, mostRead, mostReadInVain } from "../../../support/explain.ts";
import {
  aCaller,
  startWebhookApi,
  type Call,
  type WebhookApi,
} from "../../../support/webhook-api.ts";

const url = "https://receiver.example/hook";
const minute = 60_000;

describe("health of a webhook, with what waits for it,", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let clock: TestClock;
  let admin: Caller;
  let call: Call;
  before(async () => {
    clock = createTestClock();
    api = await startWebhookApi(database.db, clock);
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
    call = api.as(admin);
  });
  after(() => api.close());

  const aWebhook = async (settings: object = {}): Promise<number> => {
    const { body } = await call("POST", "/webhooks", { url, active: true, ...settings });
    return Number(body["id"]);
  };
  const addDelivery = async (id: number, sequence: number, row: object): Promise<void> => {
    const whole: Record<string, unknown> = {
      enterprise_id: admin.enterpriseId,
      subscription_id: id,
      sequence,
      event_row_id: id * 1_000 + sequence,
      event_at: clock.now(),
      object: "ticket",
      key: `ticket:${sequence}`,
      state: "pending",
      due_at: clock.now(),
      ...row,
    };
    const names = Object.keys(whole);
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      Object.values(whole),
    );
  };
  const at = (ms: number): Date => new Date(clock.now().getTime() + ms);
  const none = { count: 0, more: false };

  it("is empty at first", async () => {
    const id = await aWebhook({ maxInFlight: 5, maxPerSecond: 7 });
    const { status, body } = await call("GET", `/webhooks/${id}/health`);
    expect(status).to.equal(200);
    const { body: webhook } = await call("GET", `/webhooks/${id}`);
    expect(body).to.deep.equal({
      ...(webhook["health"] as object),
      maxInFlight: 5,
      maxPerSecond: 7,
      in_flight: none,
      due: none,
      oldest_due: null,
      planned: none,
      waiting: none,
      paused: none,
      to_pull: null,
    });
    expect(body).to.deep.include({ state: "ok", window: 5 });
  });

  it("counts each live delivery in its state", async () => {
    const id = await aWebhook();
    const other = await aWebhook();
    const rows = [
      { state: "queued" },
      { state: "sending" },
      { due_at: at(-minute) },
      { state: "retry", due_at: at(-2 * minute) },
      { state: "retry", due_at: at(minute) },
      { state: "retry", due_at: at(2 * minute) },
      { waits_for: 3 },
      { state: "retry", waits_for: 4 },
      { state: "paused" },
      { state: "delivered" },
      { state: "dead" },
      { state: "cancelled" },
      { state: "available" },
    ];
    for (const [index, row] of rows.entries()) {
      await addDelivery(id, index + 1, row);
    }
    await addDelivery(other, 1, { due_at: at(-9 * minute) });
    const { body } = await call("GET", `/webhooks/${id}/health`);
    expect(body).to.deep.include({
      in_flight: { count: 2, more: false },
      due: { count: 2, more: false },
      oldest_due: toTimestamp(at(-2 * minute)),
      planned: { count: 2, more: false },
      waiting: { count: 2, more: false },
      paused: { count: 1, more: false },
    });
  });

  it("shows later deliveries as planned only", async () => {
    const id = await aWebhook();
    await addDelivery(id, 1, { state: "retry", due_at: at(minute) });
    const before = (await call("GET", `/webhooks/${id}/health`)).body;
    expect(before).to.deep.include({ due: none, oldest_due: null });
    clock.advance(minute);
    const after = (await call("GET", `/webhooks/${id}/health`)).body;
    expect(after).to.deep.include({ planned: none, oldest_due: toTimestamp(clock.now()) });
  });

  it("counts what a pull receiver has not read yet", async () => {
    const id = await aWebhook({ url: null, mode: "pull" });
    await rowsOf(
      database.db,
      `UPDATE subscription_health SET last_sequence = 9, pulled_to = 4, pulled_at = ?
       WHERE subscription_id = ?`,
      [clock.now(), id],
    );
    expect((await call("GET", `/webhooks/${id}/health`)).body).to.deep.include({
      state: "pull",
      pulled_to: 4,
      pulled_at: toTimestamp(clock.now()),
      to_pull: 5,
    });
  });

  it("counts to 10,000, reports that there are more, and reads no more", async () => {
    const id = await aWebhook();
    const input = { keys: 1_000_000, createdAt: at(-minute) };
    await fillDeliveries(database.db, id, { ...input, state: "pending", count: 12_000 });
    await fillDeliveries(database.db, id, { ...input, state: "retry", count: 12_000, attempts: 1 });
    await fillDeliveries(database.db, id, { ...input, state: "paused", count: 10_000 });
    await fillDeliveries(database.db, id, { ...input, state: "delivered", count: 20_000 });
    await rowsOf(database.db, "ANALYZE deliveries");
    const { body } = await call("GET", `/webhooks/${id}/health`);
    expect(body).to.deep.include({
      in_flight: none,
      due: { count: 10_000, more: true },
      planned: none,
      paused: { count: 10_000, more: false },
    });
    const plan = await explain(database.db, (trx) =>
      readBacklogCounts(trx, id, clock.now()).catch(() => 0),
    );
    expect(mostRead(plan), plan).to.be.at.most(10_001);
    expect(mostReadInVain(plan), plan).to.equal(0);
  }).timeout(60_000);

  it("is limited to the enterprise", async () => {
    const id = await aWebhook();
    const stranger = api.as(await aCaller(database.db));
    expect((await stranger("GET", `/webhooks/${id}/health`)).status).to.equal(404);
  });
});
