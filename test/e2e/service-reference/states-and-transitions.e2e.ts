/** The chapter "States and transitions": every transition that HTTP alone can cause, and its events. */
import { expect } from "chai";
import {
  aPhone,
  aPicture,
  aUser,
  createConference,
  createTicket,
  eventTypesOf,
  eventsOf,
  move,
  openLink,
  personOf,
  queryOf,
  succeed,
  upload,
} from "./calls.ts";
import { useService, type Client } from "./service.ts";
import { expectWhole, like } from "./shapes.ts";
import { createMoves } from "./states-and-transitions/moves.ts";

describe("the reference: states and transitions", () => {
  const service = useService();

  const { stateOf, take, inState, addedBy, refuse, states } = createMoves(service);

  describe("a ticket", () => {
    it("TR-01: is new when it is created without invite", async () => {
      const { id, state } = await createTicket(service);
      expect(state).to.equal("new");
      expect(await eventTypesOf(service, id)).to.deep.equal(["ticket.new", "ticket.assigned"]);
    });

    it("TR-02: is invited when it is created with invite=1, with one event per channel", async () => {
      const contact = { email: "ann@guests.example", phone: "+33612345678" };
      const { id, state } = await createTicket(service, { invite: "1", ...contact });
      expect(state).to.equal("invited");
      expect(await eventTypesOf(service, id)).to.deep.equal([
        "ticket.new",
        "ticket.assigned",
        "ticket.invitationSent",
        "ticket.invitationSent",
      ]);
    });

    it("TR-03: is open when a customer asks for it at an entry point, without an agent", async () => {
      const reference = `button ${Date.now()}`;
      const { button_id } = await createTicket(service, { reference });
      const asked = await service.call(`POST /api/buttons/${button_id}/requests`, {
        json: { phone: "+33612345678", name: "Joe" },
      });
      expectWhole(asked.body, {
        state: "open",
        requestor_url: like(/\/v\/[0-9A-Za-z]{22}$/u),
        information_page_url: like(/\/i\/[0-9A-Za-z]{10}$/u),
      });
      const { data } = await succeed(service.admin, "GET /api/tickets?limit=1");
      expect(data[0].requestor_url).to.equal(asked.body.requestor_url);
      expect(data[0].agent).to.equal("");
      expect(await eventTypesOf(service, data[0].id)).to.deep.equal(["ticket.new"]);
    });

    it("TR-04: moves from new to open by approve", async () => {
      const id = await inState("new");
      expect(await addedBy(id, () => move(service, id, "approve"))).to.deep.equal([
        "ticket.approved",
      ]);
      expect(await stateOf(id)).to.equal("open");
      await refuse(id, "approve", "Transition open → open");
    });

    it("TR-05: moves from new and open to rejected by reject", async () => {
      for (const state of ["new", "open"]) {
        const id = await inState(state);
        expect(await addedBy(id, () => move(service, id, "reject"))).to.deep.equal([
          "ticket.cancelled",
        ]);
        expect(await stateOf(id)).to.equal("rejected");
      }
      await refuse(await inState("invited"), "reject", "Transition invited → rejected");
    });

    it("TR-06: moves from new, open and updated to opened by take, with an event for a new agent", async () => {
      for (const state of ["new", "open", "updated"]) {
        const id = await inState(state);
        expect(await addedBy(id, () => take(service.agent, id))).to.deep.equal([]);
        expect(await stateOf(id)).to.equal("opened");
      }
      const id = await inState("open");
      const other = await aUser(service, { role: "admin", isAgent: true });
      expect(await addedBy(id, () => take(other, id))).to.deep.equal(["ticket.assigned"]);
      const [last] = (await eventsOf(service, id)).slice(-1);
      expect(last.agent).to.deep.equal(await personOf(service, other));
      await refuse(await inState("closed"), "take", "Transition closed → opened");
    });

    it("TR-07: moves to invited by an invitation, unless it is rejected or closed", async () => {
      for (const state of ["new", "open", "opened", "updated"]) {
        const id = await inState(state);
        const added = await addedBy(id, () => move(service, id, "invitations"));
        expect(added, state).to.deep.equal(["ticket.invitationSent"]);
        expect(await stateOf(id)).to.equal("invited");
      }
      const again = await inState("invited");
      const email = { json: { email: "ann@guests.example" } };
      await succeed(service.admin, `PATCH /api/tickets/${again}`, email);
      const path = `POST /api/tickets/${again}/invitations`;
      const second = () => succeed(service.admin, `${path}?channels=email`);
      expect(await addedBy(again, second)).to.deep.equal(["ticket.invitationSent"]);
      expect((await service.admin.call(`${path}?channels=email`)).status).to.equal(409);
      const bySms = { phone: aPhone, email: "ann@guests.example", channels: "sms", invite: "1" };
      const declined = await createTicket(service, bySms);
      await succeed(await openLink(service, declined), "POST /api/guest/decline");
      expect(await stateOf(declined.id)).to.equal("declined");
      const mail = `POST /api/tickets/${declined.id}/invitations?channels=email`;
      expect((await succeed(service.admin, mail)).state).to.equal("invited");
      for (const state of ["rejected", "closed"]) {
        await refuse(await inState(state), "invitations", `Transition ${state} → invited`);
      }
    });

    it("TR-09: moves from invited to declined when the customer declines", async () => {
      const ticket = await createTicket(service, { invite: "1" });
      const customer = await openLink(service, ticket);
      const added = await addedBy(ticket.id, () => succeed(customer, "POST /api/guest/decline"));
      expect(added).to.deep.equal(["ticket.invitationDeclined"]);
      expect(await stateOf(ticket.id)).to.equal("declined");
    });

    it("TR-15: moves from open and opened to updated by a change, and stays new", async () => {
      for (const state of ["open", "opened"]) {
        for (const change of [{ subject: "A" }, { reference: "B" }, { description: "C" }]) {
          const id = await inState(state);
          const patch = () => succeed(service.admin, `PATCH /api/tickets/${id}`, { json: change });
          expect(await addedBy(id, patch)).to.deep.equal([]);
          expect(await stateOf(id)).to.equal("updated");
        }
      }
      const first = await inState("opened");
      const raise = (id: number) => () =>
        succeed(service.admin, `PATCH /api/tickets/${id}`, { json: { priority: 3 } });
      expect(await addedBy(first, raise(first))).to.deep.equal(["ticket.priorityChanged"]);
      expect(await stateOf(first)).to.equal("updated");
      for (const state of ["new", "invited"]) {
        const id = await inState(state);
        expect(await addedBy(id, raise(id))).to.deep.equal(["ticket.priorityChanged"]);
        expect(await stateOf(id)).to.equal(state);
      }
    });

    it("TR-15: moves to updated when the customer writes or sends a picture", async () => {
      for (const [act, expected] of [
        [
          (customer: Client) =>
            succeed(customer, "POST /api/guest/messages", { json: { text: "Hello" } }),
          [],
        ],
        [
          (customer: Client) => upload(customer, "/api/guest/medias", aPicture()),
          ["media.pictureSent"],
        ],
      ] as const) {
        const ticket = await createTicket(service);
        await take(service.agent, ticket.id);
        const customer = await openLink(service, ticket);
        await succeed(customer, "POST /api/guest/consent", {
          json: { terms: true, privacy: true, textVersion: "1", language: "en" },
        });
        const added = await addedBy(ticket.id, () => act(customer));
        expect(added).to.deep.equal(expected);
        expect(await stateOf(ticket.id)).to.equal("updated");
      }
    });

    it("TR-17: moves from rejected and declined to closed by close, and from no other state", async () => {
      for (const state of ["rejected", "declined"]) {
        const id = await inState(state);
        expect(await addedBy(id, () => move(service, id, "close"))).to.deep.equal([
          "ticket.closed",
        ]);
        expect(await stateOf(id)).to.equal("closed");
      }
      for (const state of ["new", "open", "opened", "updated", "invited", "closed"]) {
        await refuse(await inState(state), "close", `Transition ${state} → closed`);
      }
    });

    it("TR-18: moves from every waiting state to closed by cancel", async () => {
      for (const state of ["new", "open", "opened", "updated", "invited"]) {
        const id = await inState(state);
        expect(await addedBy(id, () => move(service, id, "cancel"))).to.deep.equal([
          "ticket.cancelled",
        ]);
        expect(await stateOf(id)).to.equal("closed");
      }
      for (const state of ["rejected", "declined", "closed"]) {
        await refuse(await inState(state), "cancel", `Transition ${state} → closed`);
      }
    });

    it("TR-19: is deleted from every state, with a webhook event only", async () => {
      for (const state of states) {
        const id = await inState(state);
        const watch = await service.watch(["ticket.*", "conversationevent.*"]);
        const { status, text } = await service.admin.call(`DELETE /api/tickets/${id}`);
        expect({ status, text }).to.deep.equal({ status: 204, text: "" });
        const [sent] = await watch.sees(1);
        expect([sent.object, sent.event, sent.objectId]).to.deep.equal(["ticket", "delete", id]);
        expect((await service.admin.call(`GET /api/tickets/${id}`)).status).to.equal(404);
      }
    });

    it("emits its creation before its events, and every later change after them", async () => {
      const watch = await service.watch(["ticket.*", "conversationevent.*"]);
      const { id } = await createTicket(service);
      await move(service, id, "approve");
      await succeed(service.admin, `PATCH /api/tickets/${id}`, { json: { priority: 4 } });
      await move(service, id, "cancel");
      const received = (await watch.sees(9)).map(({ object, event, props }) => {
        const { state, eventType } = props as { state?: string; eventType?: string };
        return `${String(object)} ${String(event)} ${String(state ?? eventType)}`;
      });
      expect(received).to.deep.equal([
        "ticket create new",
        "conversationevent create ticket.new",
        "conversationevent create ticket.assigned",
        "conversationevent create ticket.approved",
        "ticket update open",
        "conversationevent create ticket.priorityChanged",
        "ticket update updated",
        "conversationevent create ticket.cancelled",
        "ticket update closed",
      ]);
    });
  });

  describe("media", () => {
    it("begin as inprogress, and become completed, even when they are small", async () => {
      const { id: ticketId } = await createTicket(service);
      const watch = await service.watch(["media.*"]);
      const { id, status } = await upload(service.agent, "/api/medias", aPicture(), { ticketId });
      expect(status).to.equal("completed");
      await succeed(service.agent, `DELETE /api/medias/${id}`);
      const received = (await watch.sees(3)).map(({ event, objectId, props }) => [
        event,
        objectId,
        (props as { state: string }).state,
      ]);
      expect(received).to.deep.equal([
        ["create", id, "inprogress"],
        ["update", id, "completed"],
        ["delete", id, "completed"],
      ]);
    });
  });

  describe("a conference", () => {
    const statusOf = async (id: number): Promise<string> =>
      (await succeed(service.agent, `GET /api/conferences/${id}`)).status;

    it("is scheduled, and cancelled by a deletion, which is final", async () => {
      const { id, status } = await createConference(service);
      expect(status).to.equal("scheduled");
      expect((await service.agent.call(`DELETE /api/conferences/${id}`)).status).to.equal(204);
      expect(await statusOf(id)).to.equal("cancelled");
      const again = await service.agent.call(`POST /api/conferences/${id}/end`);
      expect([again.status, again.body.code]).to.deep.equal([409, 11]);
    });

    it("is listed by its status", async () => {
      const name = `Status ${Date.now()}`;
      const { id } = await createConference(service, { name });
      const count = async (status: string): Promise<number> => {
        const query = queryOf({ search: name, status });
        return (await succeed(service.agent, `GET /api/conferences?${query}`)).total;
      };
      expect([await count("scheduled"), await count("cancelled")]).to.deep.equal([1, 0]);
      await succeed(service.agent, `DELETE /api/conferences/${id}`);
      expect([await count("scheduled"), await count("cancelled")]).to.deep.equal([0, 1]);
    });
  });
});
