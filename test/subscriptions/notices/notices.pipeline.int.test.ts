import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { onBackend } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise, aUser } from "../../support/factories.ts";
import {
  aReceivingSubscription,
  aTicketEvent,
  clockAtNow,
  startPipeline,
  type Pipeline,
} from "../../support/pipeline.ts";
import {
  startReceiver,
  useReceiver,
  type ReceivedRequest,
  type Receiver,
} from "../../support/receiver.ts";
import { useRedis } from "../../support/redis.ts";

const hourMs = 3_600_000;
const operational = ["subscription.*", "delivery.*"];

function notifiedBy(request: ReceivedRequest): string {
  const { object, event } = request.json();
  return `${String(object)}.${String(event)}`;
}

onBackend("redis", (kind) => {
  describe("notices about webhooks, through the pipeline", () => {
    const database = useDatabase();
    const redis = useRedis();
    const receiving = useReceiver();
    const clock = clockAtNow();
    let pipeline: Pipeline | undefined;
    let alerts: Receiver;
    let everything: Receiver;
    let enterpriseId: number;
    beforeEach("an enterprise with a webhook for alerts and one for everything", async () => {
      clock.set(new Date());
      enterpriseId = (await anEnterprise(database.db)).id;
      alerts = await startReceiver();
      everything = await startReceiver();
      await aUser(database.db, {
        enterprise_id: enterpriseId,
        role: "admin",
        email: `admin-${enterpriseId}@test.example`,
      });
      await subscribe(alerts.url, operational);
      await subscribe(everything.url, ["*"]);
    });
    afterEach(async () => {
      await pipeline?.stop();
      pipeline = undefined;
      await alerts.close();
      await everything.close();
    });

    const start = async () => (pipeline = await startPipeline({ kind, database, redis, clock }));
    const subscribe = async (url: string, filters: string[]) =>
      (await aReceivingSubscription(database.db, { url, filters, enterpriseId })).id;
    /** The webhook that the notices are about, which selects all events. */
    const subject = () => subscribe(receiving.receiver.url, ["*", ...operational]);
    const failSince = (id: number, hours: number) =>
      rowsOf(
        database.db,
        "UPDATE subscription_health SET failing_since = ? WHERE subscription_id = ?",
        [new Date(clock.now().getTime() - hours * hourMs), id],
      );
    const deliveryOf = async (subscriptionId: number) =>
      (
        await rowsOf<{ id: number; state: string; attempts: number; due_at: Date }>(
          database.db,
          `SELECT id, state, attempts, due_at FROM deliveries WHERE subscription_id = ?
           ORDER BY sequence DESC LIMIT 1`,
          [subscriptionId],
        )
      )[0];
    /** Makes the newest delivery due for its last attempt. */
    const exhaust = async (subscriptionId: number) => {
      const { id, due_at } = await eventually(async () => {
        const row = await deliveryOf(subscriptionId);
        expect(row?.state).to.equal("retry");
        return row ?? { id: 0, due_at: clock.now() };
      });
      await rowsOf(database.db, "UPDATE deliveries SET attempts = 9 WHERE id = ?", [id]);
      clock.set(due_at);
      await eventually(
        async () => expect((await deliveryOf(subscriptionId))?.state).to.equal("dead"),
        { timeoutMs: 10_000 },
      );
      return id;
    };
    const subjectsOfMails = async () =>
      (
        await rowsOf<{ subject: string }>(
          database.db,
          "SELECT subject FROM messages WHERE enterprise_id = ? ORDER BY id",
          [enterpriseId],
        )
      ).map(({ subject: text }) => text.replace(/“.*”/u, "“…”"));
    const tellingEvents = () =>
      rowsOf(
        database.db,
        "SELECT id FROM events WHERE enterprise_id = ? AND object IN ('subscription', 'delivery')",
        [enterpriseId],
      );

    it("sends a dead delivery to another webhook, not to its own and to none with `*`", async () => {
      const { receiver } = receiving;
      receiver.answerWith([500]);
      const id = await subject();
      const { publish } = await start();
      await publish([aTicketEvent(enterpriseId, 1001)]);
      const deliveryId = await exhaust(id);
      await alerts.sees(1);
      const { objectId, props } = alerts.requests[0]?.json() ?? {};
      expect(alerts.requests.map(notifiedBy)).to.deep.equal(["delivery.dead"]);
      expect(objectId).to.equal(deliveryId);
      expect(props).to.include({
        subscriptionId: id,
        object: "ticket",
        objectId: 1001,
        attempts: 10,
        lastResult: "5xx",
        eventId: receiver.requests[0]?.id,
      });
      // The next event arrives directly after the notices, so no other event was pending.
      receiver.answerWith([200]);
      await publish([aTicketEvent(enterpriseId, 1002)]);
      await everything.sees(2);
      await receiver.waitFor((request) => request.json()["objectId"] === 1002);
      expect(new Set(receiver.requests.map(notifiedBy))).to.deep.equal(new Set(["ticket.update"]));
      expect(everything.requests.map(notifiedBy)).to.deep.equal(["ticket.update", "ticket.update"]);
      expect(await subjectsOfMails()).to.deep.equal([]);
    });

    it("causes no further events when a delivery of an operational event fails", async () => {
      receiving.receiver.answerWith([500]);
      alerts.answerWith([500]);
      const more = await subscribe(alerts.url, operational);
      const id = await subject();
      const { publish } = await start();
      await publish([aTicketEvent(enterpriseId, 1001)]);
      await exhaust(id);
      await exhaust(more);
      expect(await tellingEvents()).to.have.length(1);
    });

    it("reports a webhook that a 410 switched off, by event and by mail", async () => {
      const { receiver } = receiving;
      receiver.answerWith([410]);
      const id = await subject();
      const { publish } = await start();
      await publish([aTicketEvent(enterpriseId, 1001)]);
      await alerts.sees(1);
      const [request] = alerts.requests;
      expect(request && notifiedBy(request)).to.equal("subscription.disabled");
      expect(request?.json()).to.deep.include({ objectId: id });
      expect(request?.json()["props"]).to.include({ reason: "gone", lastResult: "4xx" });
      expect(await subjectsOfMails()).to.deep.equal([`Webhook “…” (#${id}) was disabled`]);
      const [row] = await rowsOf(
        database.db,
        "SELECT is_active, disabled_reason FROM subscriptions WHERE id = ?",
        [id],
      );
      expect(row).to.deep.equal({ is_active: false, disabled_reason: "gone" });
    });

    it("warns after a day, reports a recovery, and switches off after five days", async () => {
      const recovering = await subject();
      const hopeless = await subscribe(receiving.receiver.url, ["media.*"]);
      await failSince(recovering, 25);
      await failSince(hopeless, 121);
      const { publish } = await start();
      await alerts.sees(2);
      await publish([aTicketEvent(enterpriseId, 1001)]);
      await alerts.sees(3);
      const notified = alerts.requests.map(
        (request) => `${notifiedBy(request)} ${String(request.json()["objectId"])}`,
      );
      expect(notified.slice(0, 2)).to.have.members([
        `subscription.warned ${recovering}`,
        `subscription.disabled ${hopeless}`,
      ]);
      expect(notified[2]).to.equal(`subscription.recovered ${recovering}`);
      expect(await subjectsOfMails()).to.have.members([
        `Webhook “…” (#${recovering}): all attempts failed for 25 hours`,
        `Webhook “…” (#${hopeless}) was disabled`,
        `Webhook “…” (#${recovering}) recovered`,
      ]);
      const ofSubject = receiving.receiver.requests.map(notifiedBy);
      expect(ofSubject.filter((one) => one === "subscription.warned")).to.deep.equal([]);
    });
  });
});
