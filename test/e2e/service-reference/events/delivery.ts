/** The requests that a webhook receiver gets. */
import { expect } from "chai";
import { eventually } from "../../../support/eventually.ts";
import type { ReceivedRequest } from "../../../support/receiver.ts";
import { isSignedWith } from "../../../support/signatures.ts";
import {
  aPhone,
  aPicture,
  consent,
  createConference,
  createTicket,
  givePosition,
  move,
  openLink,
  succeed,
  upload,
  type Body,
} from "../calls.ts";
import type { Service } from "../service.ts";
import { expectWhole, nowInSeconds } from "../shapes.ts";

function rawHeader({ rawHeaders }: ReceivedRequest, name: string): string | undefined {
  return rawHeaders[rawHeaders.findIndex((text, at) => at % 2 === 0 && text === name) + 1];
}

export function deliveryTests(service: Service): void {
  describe("webhook delivery", () => {
    it("W-01, W-03: comes as POST with its content type and its fixed User-Agent", async () => {
      const headers = [{ name: "X-Key", value: "abc" }];
      const watch = await service.watch(["ticket.create"], { headers });
      const { id } = await createTicket(service);
      const [body] = await watch.sees(1);
      const [request] = watch.requests();
      expect(request?.method).to.equal("POST");
      expect(rawHeader(request!, "Content-Type")).to.equal("application/JSON");
      expect(rawHeader(request!, "User-Agent")).to.equal("Sightline Cloud");
      expect(request?.headers["x-key"]).to.equal("abc");
      expect(body.objectId).to.equal(id);
    });

    it("W-02: is filtered by event type, and disabled until it is active", async () => {
      const off = await service.watch(["*"], { active: false });
      const closed = await service.watch([]);
      const cancelled = await service.watch(["conversationevent.create:ticket.cancelled"]);
      const created = await service.watch(["ticket.create"]);
      const all = await service.watch(["ticket.*", "conversationevent.*"]);
      const { id } = await createTicket(service);
      await move(service, id, "cancel");
      await all.sees(5);
      const [event] = await cancelled.sees(1);
      expect(event.object).to.equal("conversationevent");
      const [creation] = await created.sees(1);
      expect([creation.object, creation.event]).to.deep.equal(["ticket", "create"]);
      await succeed(service.admin, `PATCH /api/webhooks/${off.id}`, { json: { active: true } });
      const second = await createTicket(service);
      await created.sees(2);
      const [first] = await off.sees(3);
      expect(first.objectId).to.equal(second.id);
      const counts = [closed, cancelled, created].map((one) => one.requests().length);
      expect(counts).to.deep.equal([0, 1, 2]);
    });

    it("W-02: keeps its configuration, with the values of headers masked", async () => {
      const headers = [{ name: "X-Key", value: "very-secret" }];
      const { id } = await service.watch(["media.update"], { headers });
      const webhook = await succeed(service.admin, `GET /api/webhooks/${id}`);
      expect(webhook).to.deep.include({
        name: "Test",
        active: true,
        filters: ["media.update"],
        headers: [{ name: "X-Key", value: "••••" }],
      });
      expect(webhook).to.not.have.property("secret");
      const json = { url: null, active: true };
      const { status } = await service.admin.call("POST /api/webhooks", { json });
      expect(status).to.equal(400);
      for (const name of ["User-Agent", "Host", "Content-Type", "webhook-id"]) {
        const refused = await service.admin.call(`PATCH /api/webhooks/${id}`, {
          json: { headers: [{ name, value: "x" }] },
        });
        expect([refused.status, refused.body.code], name).to.deep.equal([400, 10]);
      }
    });

    it("W-04: knows five kinds of object and no other, except operational events", async () => {
      const { objects } = await succeed(service.admin, "GET /api/webhooks/event-types");
      const ofService = objects.filter((one: Body) => one.operational === false);
      const ofWebhooks = objects.filter((one: Body) => one.operational === true);
      expect(ofWebhooks.map((one: Body) => one.object)).to.deep.equal(["subscription", "delivery"]);
      const events = ofService.map((one: Body) => [one.object, one.events]);
      expect(events).to.deep.equal([
        ["ticket", ["create", "update", "delete"]],
        ["media", ["create", "update", "delete"]],
        ["conversation", ["update"]],
        ["smsmessage", ["create", "update"]],
        ["conversationevent", ["create"]],
      ]);
      for (const filter of ["conference.*", "user.create", "ticket.open", "email.create"]) {
        const json = { name: "T", filters: [filter] };
        const { status, body } = await service.admin.call("POST /api/webhooks", { json });
        expect([status, body.code], filter).to.deep.equal([400, 10]);
      }
      const watch = await service.watch(["*"]);
      await createConference(service);
      const { id } = await createTicket(service);
      const [first] = await watch.sees(1);
      expect([first.object, first.objectId]).to.deep.equal(["ticket", id]);
    });

    it("W-05: is signed and numbered, and retried with the same id", async () => {
      service.receiver.answerWith((request) =>
        request.headers["webhook-attempt"] === "1" ? 500 : 204,
      );
      const watch = await service.watch(["ticket.create"]);
      await createTicket(service);
      await watch.sees(2, 25_000);
      service.receiver.answerWith([200]);
      const [first, second] = watch.requests();
      expect(second?.id).to.equal(first?.id);
      expect(second?.text).to.equal(first?.text);
      const waited = Number(second?.receivedAt) - Number(first?.receivedAt);
      expect(waited).to.be.within(3_500, 20_000);
      await createTicket(service);
      await watch.sees(3);
      const requests = watch.requests();
      expect(requests.every((one) => isSignedWith(watch.secret, one))).to.equal(true);
      const numbers = requests.map((one) => one.headers["webhook-sequence"]);
      expect(numbers).to.deep.equal(["1", "1", "2"]);
    });

    it("W-06..11, W-16: the bodies of a ticket: exactly five keys, geoloc once there is one", async () => {
      const watch = await service.watch(["ticket.*"]);
      const ticket = await createTicket(service, { invite: "1" });
      const customer = await openLink(service, ticket);
      await consent(customer);
      const geoloc = { lat: 48.65, lng: -3.36 };
      await givePosition(service, ticket.id, customer, geoloc);
      const change = async (json: Record<string, unknown>): Promise<void> => {
        await succeed(service.admin, `PATCH /api/tickets/${ticket.id}`, { json });
      };
      await change({ priority: 3 });
      await change({ subject: "S" });
      await move(service, ticket.id, "cancel");
      await succeed(service.admin, `DELETE /api/tickets/${ticket.id}`);
      const bodies = await watch.sees(6);
      const expected = (event: string, props: Record<string, unknown>) => ({
        event,
        time: nowInSeconds,
        object: "ticket",
        objectId: ticket.id,
        props,
      });
      expectWhole(bodies, [
        expected("create", { state: "invited" }),
        expected("update", { state: "invited", geoloc }),
        expected("update", { state: "invited", geoloc }),
        expected("update", { state: "invited", geoloc }),
        expected("update", { state: "closed", geoloc }),
        expected("delete", { state: "closed", geoloc }),
      ]);
      expect(Object.keys(bodies[0])).to.deep.equal([
        "event",
        "time",
        "object",
        "objectId",
        "props",
      ]);
    });

    it("W-12: the bodies of media name their parent", async () => {
      const ticket = await createTicket(service);
      const conference = await createConference(service);
      for (const [name, id, field] of [
        ["ticket", ticket.id, "ticketId"],
        ["conference", conference.id, "conferenceId"],
      ] as const) {
        const watch = await service.watch(["media.*"]);
        const media = await upload(service.agent, "/api/medias", aPicture(), { [field]: id });
        const received = (event: string, state: string) => ({
          event,
          time: nowInSeconds,
          object: "media",
          objectId: media.id,
          props: { state, _parent: { name, id } },
        });
        expectWhole(await watch.sees(2), [
          received("create", "inprogress"),
          received("update", "completed"),
        ]);
      }
    });

    it("W-14: the bodies of an SMS have no properties", async () => {
      const watch = await service.watch(["smsmessage.*"]);
      const sms = await succeed(service.admin, "POST /api/sms", {
        json: { to: aPhone, text: "Hello" },
      });
      const eventOf = (event: string) => ({
        event,
        time: nowInSeconds,
        object: "smsmessage",
        objectId: sms.id,
        props: {},
      });
      // Events of earlier tests may still arrive.
      await eventually(() => {
        const own = watch.bodies().filter(({ objectId }) => objectId === sms.id);
        expectWhole(own, [eventOf("create"), eventOf("update")]);
      });
    });
  });
}
