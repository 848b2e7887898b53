/** Events of a call: both sides join over the sockets that the platform's pages use. */
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { closeClients, hear, joinCall, type TestClient } from "../../support/signalling.ts";
import {
  aPicture,
  consent,
  createConference,
  createTicket,
  eventTypesOf,
  move,
  openLink,
  personOf,
  succeed,
  upload,
  type Body,
} from "./calls.ts";
import { expectEvents, named } from "./events/expect-events.ts";
import { useService, type Client } from "./service.ts";
import { aTimestamp, expectWhole, nowInSeconds } from "./shapes.ts";
import { createMoves } from "./states-and-transitions/moves.ts";

type Call = Readonly<{
  ticket: Body;
  /** The customer's REST calls. */
  guest: Client;
  customer: TestClient;
  agent: TestClient;
}>;

describe("the reference: rooms", () => {
  const service = useService();
  const { stateOf, addedBy } = createMoves(service);
  const node = () => ({ url: service.url });

  afterEach(closeClients);

  const joinAsCustomer = async (guest: Client): Promise<TestClient> => {
    const joined = await joinCall(node(), guest.token);
    expect(joined.joined.ok).to.equal(true);
    return joined;
  };

  const joinAsAgent = async (ticketId: number): Promise<TestClient> => {
    const path = `POST /api/tickets/${ticketId}/room-token`;
    const { room_token: token } = await succeed(service.agent, path);
    const joined = await joinCall(node(), String(token));
    expect(joined.joined.ok).to.equal(true);
    return joined;
  };

  /** Both sides join the room; the customer has consented in this session. */
  const meet = async (ticket: Body): Promise<Call> => {
    const guest = await openLink(service, ticket);
    await consent(guest);
    const customer = await joinAsCustomer(guest);
    const agent = await joinAsAgent(ticket.id);
    return { ticket, guest, customer, agent };
  };

  const anInvited = (): Promise<Body> => createTicket(service, { ...named, invite: "1" });

  describe("a ticket", () => {
    it("E-04, E-08, E-30..33: a whole call, at the webhook and in the timeline", async () => {
      const ticket = await anInvited();
      const guest = await openLink(service, ticket);
      await succeed(guest, "POST /api/guest/click");
      await consent(guest);
      await succeed(guest, "POST /api/guest/devices", { json: { camera: true, microphone: true } });
      await succeed(guest, "POST /api/guest/accept");
      const agentPerson = await personOf(service, service.agent);
      const watch = await service.watch(["conversationevent.*"]);
      const customer = await joinAsCustomer(guest);
      const agent = await joinAsAgent(ticket.id);
      await agent.ask("established");
      await customer.ask("leave");
      await agent.ask("end");
      await expectEvents(service, watch, ticket.id, [
        ["session.agentContacted", 31, "system", { agent: agentPerson }],
        ["ticket.sessionStarted", 8, "system", {}],
        ["session.established", 30, "system", { requestor: named }],
        ["session.userLeft", 33, "guest", { requestor: named }],
        ["session.agentLeft", 32, "agent", { agent: agentPerson }],
        ["ticket.completed", 4, "agent", { agent: agentPerson }],
      ]);
    });

    it("TR-08: moves from every waiting state to inprogress when both are present", async () => {
      const ways: Readonly<Record<string, () => Promise<Body>>> = {
        invited: anInvited,
        opened: async () => {
          const ticket = await createTicket(service);
          await succeed(service.agent, `POST /api/tickets/${ticket.id}/take`);
          return ticket;
        },
        new: () => createTicket(service),
      };
      for (const [state, make] of Object.entries(ways)) {
        const ticket = await make();
        const guest = await openLink(service, ticket);
        await consent(guest);
        await joinAsCustomer(guest);
        expect(await stateOf(ticket.id)).to.equal(state);
        expect(await addedBy(ticket.id, () => joinAsAgent(ticket.id))).to.deep.equal([
          "ticket.sessionStarted",
        ]);
        expect(await stateOf(ticket.id)).to.equal("inprogress");
      }
    });

    it("TR-12, TR-14, TR-16: is done when the agent ends the call, and is then closed", async () => {
      const ticket = await anInvited();
      const first = await meet(ticket);
      const ended = await addedBy(ticket.id, () => first.agent.ask("end"));
      expect(ended.toSorted()).to.deep.equal([
        ...["session.agentLeft", "session.userLeft", "ticket.completed"],
      ]);
      expect(await stateOf(ticket.id)).to.equal("done");
      expect(await hear(first.customer, "left")).to.deep.equal({ reason: "ended" });
      const before = (await eventTypesOf(service, ticket.id)).length;
      const second = await meet(ticket);
      expect(await stateOf(ticket.id)).to.equal("inprogress");
      expect((await eventTypesOf(service, ticket.id)).slice(before)).to.deep.equal([
        ...["consent.accepted", "session.agentContacted", "ticket.sessionStarted"],
      ]);
      await second.agent.ask("end");
      const closed = await addedBy(ticket.id, () => move(service, ticket.id, "close"));
      expect(closed).to.deep.equal(["ticket.closed"]);
      expect(await stateOf(ticket.id)).to.equal("closed");
    });

    it("TR-18: ends the call of a cancelled ticket, and notifies the pages", async () => {
      const call = await meet(await anInvited());
      const { id } = call.ticket;
      const added = await addedBy(id, () => move(service, id, "cancel"));
      expect(added.slice(0, -1).toSorted()).to.deep.equal([
        ...["session.agentLeft", "session.userLeft"],
      ]);
      expect(added.at(-1)).to.equal("ticket.cancelled");
      await eventually(() => !call.customer.socket.connected, { timeoutMs: 30_000 });
      expect(call.customer.of("over")).to.deep.equal([{ reason: "room" }]);
    }).timeout(60_000);

    it("rejects a customer who has not consented", async () => {
      const guest = await openLink(service, await anInvited());
      const { joined } = await joinCall(node(), guest.token);
      expect(joined.error).to.deep.include({ kind: "forbidden", reason: "consent" });
    });

    it("E-50: the survey is answered after the call, once", async () => {
      const { ticket, guest, agent } = await meet(await anInvited());
      expect((await guest.call("GET /api/guest/survey")).status).to.equal(404);
      await agent.ask("end");
      const { questions } = await succeed(guest, "GET /api/guest/survey");
      const [{ id, label }] = questions;
      const watch = await service.watch(["conversationevent.*"]);
      const answer = { questions: [{ id, answer: "Very satisfied" }], feedback: "Quick" };
      await succeed(guest, "POST /api/guest/survey", { json: answer });
      await expectEvents(service, watch, ticket.id, [
        [
          ...(["survey.answered", 50, "guest"] as const),
          {
            requestor: named,
            surveyAnswer: {
              questions: [{ id, label, answer: "Very satisfied" }],
              feedback: "Quick",
            },
          },
        ],
      ]);
      expect((await guest.call("POST /api/guest/survey", { json: answer })).status).to.equal(204);
    });

    it("a picture from the customer during the call does not change the state", async () => {
      const { ticket, guest } = await meet(await anInvited());
      await upload(guest, "/api/guest/medias", aPicture(), { kind: "snapshot" });
      expect((await eventTypesOf(service, ticket.id)).at(-1)).to.equal("media.pictureTaken");
      expect(await stateOf(ticket.id)).to.equal("inprogress");
    });

    it("TS-13, TS-17, TS-18: the statistics count established calls", async () => {
      const { ticket, agent } = await meet(await anInvited());
      await agent.ask("established");
      await agent.ask("end");
      const { enterpriseId } = await succeed(service.admin, "GET /api/v2/users/me");
      const rows: Body[] = await succeed(
        service.admin,
        `GET /api/enterprises/${String(enterpriseId)}/tickets-stats?format=JSON`,
      );
      const row = rows.find(({ ID }) => ID === ticket.id);
      expect([row["Répondues"], row["Nombre Appels"]]).to.deep.equal(["Oui", 1]);
      expect(row["Durée totale des appels (secondes)"]).to.be.within(0, 60);
    });
  });

  describe("a conversation", () => {
    it("W-13: emits an event at the end of each session", async () => {
      const ticket = await anInvited();
      const watch = await service.watch(["conversation.*"]);
      for (const count of [1, 2]) {
        const { agent } = await meet(ticket);
        await agent.ask("end");
        const bodies = await watch.sees(count);
        const { data } = await succeed(
          service.admin,
          `GET /api/conversations?ticketId=${ticket.id}`,
        );
        expectWhole(bodies.at(-1), {
          event: "update",
          time: nowInSeconds,
          object: "conversation",
          objectId: data[0].uid,
          props: {
            eventType: "conversationEnded",
            name: data[0].name,
            finishedAt: aTimestamp,
          },
        });
        expect(data[0].uid).to.match(/^[0-9a-f-]{36}$/u);
      }
    });
  });

  describe("a conference", () => {
    const guestToken = async (conference: Body, name: string): Promise<Body> =>
      succeed(service, "POST /api/guest/conferences/token", {
        json: { service_key: conference.service_key, room_name: conference.room_name, name },
      });

    const statusOf = async (id: number): Promise<string> =>
      (await succeed(service.agent, `GET /api/conferences/${id}`)).status;

    it("is ongoing from the first participant on, and ended when the organizer ends it", async () => {
      const conference = await createConference(service, { moderation: "true" });
      const { id } = conference;
      const organizerToken = await succeed(service.agent, `POST /api/conferences/${id}/room-token`);
      const waiting = await guestToken(conference, "Gil");
      expect(waiting.role).to.equal("waiting");
      expect(await statusOf(id)).to.equal("scheduled");
      const organizer = await joinCall(node(), String(organizerToken.room_token));
      expect(organizer.joined.ok).to.equal(true);
      expect(await statusOf(id)).to.equal("ongoing");
      expect((await organizer.ask("end")).ok).to.equal(true);
      expect(await statusOf(id)).to.equal("ended");
      const late = await service.call("POST /api/guest/conferences/token", {
        json: { service_key: conference.service_key, room_name: conference.room_name, name: "Lea" },
      });
      expect(late.status).to.equal(410);
    });

    it("lists its sessions with their participants, including one that is running", async () => {
      const conference = await createConference(service, { moderation: "false" });
      const { id } = conference;
      const guest = await guestToken(conference, "Gil");
      const { joined } = await joinCall(node(), String(guest.room_token));
      const { data } = await succeed(service.agent, `GET /api/conferences/${id}/sessions`);
      expect(data).to.have.length(1);
      const { id: sessionId, start_time, end_time } = data[0];
      expectWhole(
        { sessionId, start_time, end_time },
        { sessionId: joined.sessionId, start_time: aTimestamp, end_time: null },
      );
    });
  });
});
