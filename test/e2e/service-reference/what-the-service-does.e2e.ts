/**
 * The chapter "What the service does": one test per capability; the other chapters test the
 * details.
 */
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import {
  aPicture,
  aPhone,
  consent,
  createConference,
  createTicket,
  move,
  openLink,
  queryOf,
  succeed,
  upload,
  whoIs,
  type Body,
} from "./calls.ts";
import { useService } from "./service.ts";
import { aTimestamp, expectWhole, nowInSeconds } from "./shapes.ts";

describe("the reference: what the service does", () => {
  const service = useService();

  it("G-01: a ticket binds one agent, one customer and a reference", async () => {
    const reference = `G-01 ${Date.now()}`;
    const contact = { email: "ann@guests.example", phone: aPhone };
    const ticket = await createTicket(service, { reference, ...contact });
    expect(ticket).to.deep.include({ agent: service.agent.login, reference, requestor: contact });
    const { data } = await succeed(service.admin, `GET /api/tickets?${queryOf({ reference })}`);
    expect(data.map(({ id }: Body) => id)).to.deep.equal([ticket.id]);
    const path = `POST /api/tickets/${ticket.id}/room-token`;
    expect((await service.agent.call(path)).body.role).to.equal("agent");
    expect((await service.admin.call(path)).status).to.equal(403);
    const secret = ticket.requestor_url.split("/").at(-1);
    const tokens = [1, 2].map(() => succeed(service, `POST /api/guest/tickets/${secret}/token`));
    const [first, second] = await Promise.all(tokens);
    expect([first.role, first.participant]).to.deep.equal(["requestor", second.participant]);
  });

  it("G-03: a conference has an organizer and a moderator, and lets guests wait when moderated", async () => {
    const enter = async (moderation: string): Promise<Body> => {
      const moderator = service.admin.login;
      const conference = await createConference(service, { moderation, moderator });
      expect(conference.organizer.id).to.equal((await whoIs(service.agent)).userId);
      expect(conference.moderator.id).to.equal((await whoIs(service.admin)).userId);
      const { id, service_key, room_name } = conference;
      const guest = await succeed(service, "POST /api/guest/conferences/token", {
        json: { service_key, room_name, name: "Gil" },
      });
      const organizer = await succeed(service.agent, `POST /api/conferences/${id}/room-token`);
      const chair = await succeed(service.admin, `POST /api/conferences/${id}/room-token`);
      return [guest.role, organizer.role, chair.role];
    };
    expect(await enter("true")).to.deep.equal(["waiting", "organizer", "moderator"]);
    expect(await enter("false")).to.deep.equal(["participant", "organizer", "moderator"]);
  });

  it("G-05: media of tickets and of conferences are listed", async () => {
    const ticket = await createTicket(service);
    const conference = await createConference(service);
    const ofTicket = await upload(service.agent, "/api/medias", aPicture(), {
      ticketId: ticket.id,
    });
    const ofConference = await upload(service.agent, "/api/medias", aPicture(), {
      conferenceId: conference.id,
    });
    const one = await succeed(service.agent, `GET /api/tickets/${ticket.id}/medias`);
    const other = await succeed(service.agent, `GET /api/conferences/${conference.id}/media`);
    const ids = [...one.medias, ...other.data].map(({ id }: Body) => id);
    expect(ids).to.deep.equal([ofTicket.id, ofConference.id]);
  });

  it("G-06: there are statistics of tickets and of the sessions of conferences, per day", async () => {
    const { id } = await createTicket(service);
    const { enterpriseId } = await whoIs(service.admin);
    const rows = await succeed(service.admin, `GET /api/enterprises/${enterpriseId}/tickets-stats`);
    expect(rows.map(({ ID }: Body) => ID)).to.include(id);
    const sessions = await succeed(service.admin, "GET /api/session");
    expect(Date.parse(sessions.until) - Date.parse(sessions.since)).to.equal(86_400_000);
  });

  it("G-07: the timeline has the same entries by REST and by webhook", async () => {
    const ticket = await createTicket(service);
    const watch = await service.watch(["conversationevent.*"]);
    await consent(await openLink(service, ticket));
    const [pushed] = await watch.sees(1);
    const path = `GET /api/v3/tickets/${ticket.id}/events`;
    const [read] = await succeed(service.admin, `${path}?eventType=consent.accepted`);
    const { id, created, source, ...rest } = read;
    expectWhole([created, source], [aTimestamp, "guest"]);
    expect(pushed).to.deep.include({ objectId: id, props: rest });
  });

  it("G-08: webhooks cover tickets, media, SMS and events, and conversations on request", async () => {
    const watch = await service.watch([
      "ticket.*",
      "media.*",
      "conversation.*",
      "smsmessage.*",
      "conversationevent.*",
    ]);
    const { id } = await createTicket(service, { invite: "1" });
    await upload(service.agent, "/api/medias", aPicture(), { ticketId: id });
    const bodies = await watch.sees(9);
    expect(bodies.map(({ object }: Body) => object)).to.include.members([
      "conversationevent",
      "media",
      "smsmessage",
      "ticket",
    ]);
  });

  it("G-10: every path answers in the singular and in the plural", async () => {
    const { id } = await createTicket(service);
    const conference = await createConference(service);
    for (const [plural, singular] of [
      ["tickets", "ticket"],
      [`tickets/${id}/events`, `ticket/${id}/event`],
      [`tickets/${id}/medias`, `ticket/${id}/media`],
      ["conferences", "conference"],
      [`conferences/${conference.id}/medias`, `conference/${conference.id}/media`],
      ["users", "user"],
      ["enterprises", "enterprise"],
      ["services", "service"],
      ["sessions", "session"],
      ["conversations", "conversation"],
      ["emails", "email"],
      ["sms", "sms"],
      ["medias", "media"],
      ["hl7/messages", "hl7/message"],
      [`tickets/${id}/colleagues`, `ticket/${id}/colleague`],
      ["rooms", "room"],
    ] as const) {
      // URLs of files contain their expiry in seconds: retries if a second has passed between the
      // two calls.
      await eventually(async () => {
        const one = await service.admin.call(`GET /api/${singular}`);
        expect(one.status, singular).to.equal(200);
        expect(one.body, singular).to.deep.equal(
          (await service.admin.call(`GET /api/${plural}`)).body,
        );
      });
    }
  });

  it("G-12: addresses start with the service's, times have an offset, webhooks UNIX seconds", async () => {
    const watch = await service.watch(["ticket.create"]);
    const ticket = await createTicket(service);
    for (const field of ["requestor_url", "information_page_url", "agent_url"]) {
      expect(ticket[field].startsWith(`${service.url}/`), field).to.equal(true);
    }
    expectWhole(ticket.created, aTimestamp);
    const [body] = await watch.sees(1);
    expectWhole(body.time, nowInSeconds);
    // The event is written after the ticket, in the same transaction.
    expect(body.time - Date.parse(ticket.created) / 1000).to.be.within(0, 5);
  });

  it("G-13: media types are case-insensitive, and an empty X-CSRF-TOKEN is ignored", async () => {
    const headers = { accept: "application/JSON", "x-csrf-token": "" };
    const listed = await service.admin.call("GET /api/tickets?limit=1", { headers });
    expect(listed.status).to.equal(200);
    const { status } = await service.admin.call("POST /api/tickets", {
      raw: JSON.stringify({ agent: service.agent.login, phone: aPhone }),
      headers: { ...headers, "content-type": "Application/JSON" },
    });
    expect(status).to.equal(201);
  });

  it("a ticket can be completed by API calls alone", async () => {
    const { id } = await createTicket(service);
    const states = [];
    for (const action of ["approve", "take", "invitations", "cancel"]) {
      states.push((await move(service, id, action)).state ?? action);
    }
    expect(states).to.deep.equal(["open", "opened", "invited", "closed"]);
  });
});
