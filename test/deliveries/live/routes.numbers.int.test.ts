import { expect } from "chai";
import type { Caller } from "../../../src/http/route.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import type { PresentedSnapshot } from "../../../src/deliveries/live/service.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEvent, aSubscription } from "../../support/factories.ts";
import { startLiveApi, type LiveApi } from "../../support/live-api.ts";
import { readStream } from "../../support/pull-api.ts";
import { seedPast } from "../../support/replays.ts";
import { aCaller } from "../../support/webhook-api.ts";

const times = { heartbeatMs: 150, checkMs: 200, mostMs: 60_000 };

describe("the numbers of the live view", () => {
  const database = useDatabase();
  let api: LiveApi;
  let admin: Caller;
  let owner: { enterpriseId: number; subscriptionId: number };
  beforeEach(async () => {
    api = await startLiveApi(database.db, { times });
    admin = await aCaller(database.db);
    const { enterpriseId } = admin;
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId, name: "One" });
    owner = { enterpriseId, subscriptionId: id };
  });
  afterEach(() => api.close());

  const snapshot = async (): Promise<PresentedSnapshot> =>
    (await api.as(admin)("GET", "/webhooks/live")).body as never;
  const parse = ({ data }: { data: string }): PresentedSnapshot =>
    JSON.parse(data) as PresentedSnapshot;
  const addOpen = (
    state: string,
    dueInMs: number,
    count: number,
    { subscriptionId, enterpriseId } = owner,
  ): Promise<unknown> =>
    rowsOf(
      database.db,
      `WITH counted AS (
         UPDATE subscription_health SET last_sequence = last_sequence + ?
         WHERE subscription_id = ? RETURNING last_sequence
       )
       INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at, object,
         key, state, due_at)
       SELECT ?, ?, last_sequence - ? + n, nextval('events_id_seq'), now(), 'ticket', 'ticket:' || n,
         ?, now() + ? * interval '1 millisecond'
       FROM counted, generate_series(1, ?) AS n`,
      [...[count, subscriptionId, enterpriseId, subscriptionId, count], ...[state, dueInMs, count]],
    );

  it("counts unclaimed deliveries as late, and reports the outbox", async () => {
    await addOpen("queued", -30_000, 3);
    await rowsOf(database.db, "UPDATE deliveries SET queued_at = now() - interval '20 seconds'");
    await addOpen("queued", -30_000, 1);
    await rowsOf(
      database.db,
      "UPDATE deliveries SET queued_at = now() WHERE sequence = (SELECT max(sequence) FROM deliveries)",
    );
    await anEvent(database.db, { enterprise_id: admin.enterpriseId });
    const before = await snapshot();
    expect(before).to.deep.include({ in_flight: 1, relay_behind_seconds: null });
    expect(before.past_due_ours.count).to.equal(3);
    expect(before.oldest_ours_seconds).to.be.within(20, 120);
    const occurred_at = new Date(Date.now() - 30_000);
    await anEvent(database.db, { enterprise_id: admin.enterpriseId, occurred_at });
    await eventually(async () => {
      expect((await snapshot()).relay_behind_seconds).to.be.within(30, 120);
    });
  });

  it("distinguishes delays by a receiver from our own", async () => {
    const { enterpriseId: enterprise_id } = admin;
    const probe_at = new Date(Date.now() + 30_000);
    const bad = await aSubscription(database.db, { enterprise_id, name: "Bad" });
    await database
      .db("subscription_health")
      .where({ subscription_id: bad.id })
      .update({ failing_since: new Date(), probe_at, failure_status: 500 });
    await addOpen("pending", -30_000, 2);
    await addOpen("retry", -90_000, 5, { ...owner, subscriptionId: bad.id });
    const { webhooks, ...all } = await snapshot();
    expect(all).to.deep.include({
      past_due: { count: 7, more: false },
      past_due_ours: { count: 2, more: false },
      past_due_failing: { count: 5, more: false },
    });
    expect(all.oldest_waiting_seconds).to.be.within(90, 120);
    expect(all.oldest_ours_seconds).to.be.within(30, 60);
    expect(webhooks[0]).to.deep.include({ name: "Bad", last_code: 500, last_error: null });
  });

  it("names the event and the ticket of an attempt", async () => {
    const stream = readStream(await api.open(admin));
    await stream.has("snapshot", 1);
    const sub = { id: owner.subscriptionId, enterprise_id: owner.enterpriseId };
    const what = { event: "create", eventType: "ticket.invitationSent", key: "ticket:3062" };
    const [events] = await seedPast(database.db, sub, [
      { state: "delivered", object: "conversationevent", ...what },
    ]);
    await rowsOf(
      database.db,
      `INSERT INTO attempts (enterprise_id, started_at, delivery_id, number, duration_ms, status)
       SELECT enterprise_id, now(), id, 1, 20, 200 FROM deliveries WHERE id = ?`,
      [events?.deliveryId],
    );
    const tail = () => stream.messages.map(parse).flatMap((heartbeat) => heartbeat.tail);
    await eventually(() => tail().length === 1);
    expect(tail()[0]).to.deep.include({
      ...{ object: "conversationevent", event: "create", object_id: 1, ticket: 3062 },
      ...{ event_type: "ticket.invitationSent", sequence: events?.sequence },
    });
    await stream.leave();
  });
});
