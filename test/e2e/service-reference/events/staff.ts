/** Events caused by staff and by the service itself. */
import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { eventually } from "../../../support/eventually.ts";
import {
  aPhone,
  createTicket,
  eventTypesOf,
  eventsOf,
  move,
  openLink,
  personOf,
  succeed,
  upload,
  whoIs,
  type Body,
} from "../calls.ts";
import type { Service, Watch } from "../service.ts";
import { expectEvents, named } from "./expect-events.ts";

export function staffEventTests(service: Service): void {
  describe("the timeline of what staff do", () => {
    const watchAll = async (): Promise<Watch> => service.watch(["conversationevent.*"]);

    const requestor = named;

    it("W-15, E-01, E-03, E-10: created, assigned, and invited on two channels", async () => {
      const watch = await watchAll();
      const { id } = await createTicket(service, { ...named, invite: "1" });
      const agent = await personOf(service, service.agent);
      await expectEvents(service, watch, id, [
        ["ticket.new", 1, "agent", { agent }],
        ["ticket.assigned", 3, "agent", { agent }],
        ["ticket.invitationSent", 10, "agent", { requestor }],
        ["ticket.invitationSent", 10, "agent", { requestor }],
      ]);
    });

    it("E-02, E-05, E-07: approved, raised, cancelled", async () => {
      const { id } = await createTicket(service);
      const watch = await watchAll();
      await move(service, id, "approve");
      await succeed(service.admin, `PATCH /api/tickets/${id}`, { json: { priority: 4 } });
      await succeed(service.admin, `PATCH /api/tickets/${id}`, { json: { priority: 4 } });
      await move(service, id, "cancel");
      const agent = await personOf(service, service.agent);
      await expectEvents(service, watch, id, [
        ["ticket.approved", 2, "agent", { agent }],
        ["ticket.priorityChanged", 7, "agent", { agent, oldPriority: 2, newPriority: 4 }],
        ["ticket.cancelled", 5, "agent", { agent }],
      ]);
    });

    it("E-03: transferred, which names the new agent", async () => {
      const { id } = await createTicket(service);
      const { userId } = await whoIs(service.admin);
      await succeed(service.admin, `PATCH /api/users/${userId}`, { json: { isAgent: true } });
      const watch = await watchAll();
      await succeed(service.admin, `PUT /api/tickets/${id}/agent`, {
        json: { agent: service.admin.login },
      });
      await succeed(service.admin, `PATCH /api/users/${userId}`, { json: { isAgent: false } });
      const agent = await personOf(service, service.admin);
      await expectEvents(service, watch, id, [["ticket.assigned", 3, "agent", { agent }]]);
    });

    it("E-06, E-13: declined by the customer, then closed", async () => {
      const ticket = await createTicket(service, { ...named, invite: "1" });
      const watch = await watchAll();
      await succeed(await openLink(service, ticket), "POST /api/guest/decline");
      await move(service, ticket.id, "close");
      const agent = await personOf(service, service.agent);
      await expectEvents(service, watch, ticket.id, [
        ["ticket.invitationDeclined", 13, "guest", { requestor }],
        ["ticket.closed", 6, "agent", { agent }],
      ]);
    });

    it("E-41, TS-23: the text of a picture is read, with code 41, and counted as a scan", async function () {
      this.timeout(60_000);
      const { id: ticketId } = await createTicket(service);
      const bytes = await readFile("test/fixtures/media/text.png");
      const picture = { name: "text.png", type: "image/png", bytes };
      const { id } = await upload(service.agent, "/api/medias", picture, { ticketId });
      const watch = await service.watch(["conversationevent.create:media.OCRDone"]);
      const answer = await service.agent.call(`POST /api/medias/${id}/ocr`);
      expect(answer.status).to.equal(202);
      const [body] = await watch.sees(1, 45_000);
      const { text } = body.props;
      expect(text).to.equal("Meter 48213\nSerial AB 7790");
      await expectEvents(service, watch, ticketId, [["media.OCRDone", 41, "system", { text }]]);
      const { enterpriseId } = await whoIs(service.admin);
      const rows = await succeed(
        service.admin,
        `GET /api/enterprises/${enterpriseId}/tickets-stats`,
      );
      expect(rows.find((row: Body) => row.ID === ticketId)["Scans"]).to.equal(1);
    });

    it("E-51: a person is four texts, empty if unknown", async () => {
      const { id } = await createTicket(service, { invite: "1" });
      const [event] = (await eventsOf(service, id)).slice(-1);
      expect(event.requestor).to.deep.equal({
        email: "",
        phone: aPhone,
        firstname: "",
        lastname: "",
      });
    });

    it("has codes that never change", async () => {
      const { eventTypes } = await succeed(service.admin, "GET /api/webhooks/event-types");
      const codes = eventTypes.map((one: Body) => [one.eventType, one.eventCode]);
      expect(codes).to.deep.include.members([
        ["ticket.completed", 4],
        ["ticket.sessionStarted", 8],
        ["ticket.invitationResent", 11],
        ["ticket.invitationNotclicked", 15],
        ["ticket.invitationExpired", 16],
        ["session.established", 30],
        ["session.agentContacted", 31],
        ["session.agentLeft", 32],
        ["session.userLeft", 33],
        ["media.OCRDone", 41],
        ["survey.answered", 50],
      ]);
    });

    it("an invitation by mail brings the customer the link of the ticket", async () => {
      const email = `mail-${Date.now()}@guests.example`;
      const ticket = await createTicket(service, { email, invite: "1" });
      const mail = await eventually(async () => {
        const { messages } = await succeed(service, "GET /mailbox/messages");
        const found = messages.find((one: Body) => one.to === email);
        expect(found).to.not.equal(undefined);
        return found;
      });
      expect(mail.text).to.include(ticket.requestor_url);
      expect(await eventTypesOf(service, ticket.id)).to.include("ticket.invitationSent");
    });
  });
}
