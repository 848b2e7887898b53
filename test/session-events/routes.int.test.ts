import type { TimelineEntry } from "../../src/contracts/session-events.ts";
import { expect } from "chai";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import {
  aGroup,
  aTestUser,
  aTicketFixture,
  eventsAbout,
  useTicketApi,
  type TestUser,
  type TicketFixture,
} from "../support/tickets.ts";

describe("GET /tickets/{ticketId}/events", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let fixture: TicketFixture;
  let id = 0;
  let conversationId = 0;

  before(async () => {
    fixture = await aTicketFixture(database.db);
    const json = { agent: fixture.agent.login, email: "jane@example.com", lastname: "Doe" };
    const { body } = await api.call("POST /tickets", {
      as: fixture.admin,
      json: { ...json, invite: 1 },
    });
    id = body.id;
    await api.call("POST /tickets", { as: fixture.admin, json }); // another timeline
    conversationId = Number((await eventsAbout(database.db, id))[1]?.props["conversationId"]);
    const entry = (
      minute: string,
      more: Pick<TimelineEntry, "eventType" | "source" | "attributes">,
    ): TimelineEntry => ({
      enterpriseId: fixture.enterpriseId,
      ticketId: id,
      conversationId,
      at: new Date(`2026-11-20T11:${minute}:00Z`),
      ...more,
    });
    await inTransaction(database.db, async (trx) => {
      const { sessionEvents, outbox } = api.features;
      const entries = await sessionEvents.write(trx, [
        entry("30", {
          eventType: "geo.ansAllowed",
          source: "guest",
          attributes: { geoloc: { lat: 48.65, lng: -3.36 } },
        }),
        entry("31", { eventType: "ticket.sessionStarted", source: "system", attributes: {} }),
        entry("32", { eventType: "media.OCRDone", source: "system", attributes: { text: "a\nb" } }),
      ]);
      await outbox.append(trx, entries);
    });
  });

  const list = (query = "", as: TestUser | undefined = fixture.admin) =>
    api.call(`GET /tickets/${id}/events?${query}`, { as });
  const types = (body: { eventType: string }[]) => body.map(({ eventType }) => eventType);
  const all = [
    "ticket.new",
    "ticket.assigned",
    "ticket.invitationSent",
    "geo.ansAllowed",
    "ticket.sessionStarted",
    "media.OCRDone",
  ];

  it("returns a bare array, oldest first, each entry with the documented keys in order", async () => {
    const { status, body, text, headers } = await list();
    expect(status).to.equal(200);
    const ids = body.map((entry: { id: number }) => entry.id);
    const common = { conversationId, ticketId: id };
    const early = { created: "2026-11-20T10:00:00+00:00", source: "agent" };
    const requestor = { email: "jane@example.com", phone: "", firstname: "", lastname: "Doe" };
    const agent = fixture.person;
    expect(text).to.equal(
      JSON.stringify([
        { id: ids[0], eventType: "ticket.new", eventCode: 1, ...common, ...early, agent },
        { id: ids[1], eventType: "ticket.assigned", eventCode: 3, ...common, ...early, agent },
        {
          id: ids[2],
          eventType: "ticket.invitationSent",
          eventCode: 10,
          ...common,
          ...early,
          requestor,
        },
        {
          id: ids[3],
          eventType: "geo.ansAllowed",
          eventCode: 21,
          ...common,
          created: "2026-11-20T11:30:00+00:00",
          source: "guest",
          geoloc: { lat: 48.65, lng: -3.36 },
        },
        {
          id: ids[4],
          eventType: "ticket.sessionStarted",
          eventCode: 8,
          ...common,
          created: "2026-11-20T11:31:00+00:00",
          source: "system",
        },
        {
          id: ids[5],
          eventType: "media.OCRDone",
          eventCode: 41,
          ...common,
          created: "2026-11-20T11:32:00+00:00",
          source: "system",
          text: "a\nb",
        },
      ]),
    );
    expect(headers.get("x-total-count")).to.equal("6");
  });

  it("returns the same props as the webhooks, with their objectId as id", async () => {
    const { body } = await list();
    const bodies = (await eventsAbout(database.db, id)).filter(
      (b) => b.object === "conversationevent",
    );
    expect(bodies).to.have.length(6);
    bodies.forEach(({ objectId, props }, index) => {
      const { id: entryId, created, source, ...shown } = body[index];
      expect([entryId, shown]).to.deep.equal([objectId, props]);
      expect([created, source]).not.to.include(undefined);
    });
  });

  const queries: [string, string[]][] = [
    ["eventType=media.OCRDone", ["media.OCRDone"]],
    ["eventType=ticket.new,%20geo.ansAllowed", ["ticket.new", "geo.ansAllowed"]],
    ["eventType=survey.answered", []],
    ["source=guest", ["geo.ansAllowed"]],
    ["source=guest,system", all.slice(3)],
    ["since=2026-11-20T11:31:00+00:00", all.slice(4)],
    ["until=2026-11-20T11:31:00Z", all.slice(0, 4)],
    ["since=2026-11-20&until=2026-11-20", all],
    ["order=desc", all.toReversed()],
    ["limit=2&offset=1", all.slice(1, 3)],
    ["order=desc&limit=1&source=system", ["media.OCRDone"]],
    ["eventType=&source=", all],
  ];
  for (const [query, expected] of queries) {
    it(`filters by ${query}`, async () => {
      const { status, body } = await list(query);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(types(body)).to.deep.equal(expected);
    });
  }

  it("returns the total when it is paged", async () => {
    const { headers } = await list("limit=1&source=system");
    expect(headers.get("x-total-count")).to.equal("2");
    expect(headers.get("link")).to.match(/rel="next"/u);
  });

  for (const [query, field] of [
    ["eventType=ticket.unknown", "eventType"],
    ["eventType=ticket.new,x", "eventType"],
    ["eventTyp=ticket.new", "eventTyp"],
    ["source=robot", "source"],
    ["since=now", "since"],
    ["order=up", "order"],
    ["limit=1001", "limit"],
    ["offset=-1", "offset"],
  ] as const) {
    it(`rejects ${query}`, async () => {
      const { status, body } = await list(query);
      expect(status).to.equal(400);
      expect(body).to.include({ code: 10, details: `Parameter ${field}` });
    });
  }

  it("checks access: 401, then 403 by role, 404, then 403 by reach", async () => {
    const { db } = database;
    const { enterpriseId } = fixture;
    const group = await aGroup(db, enterpriseId, "North");
    await db("group_members").insert({
      enterprise_id: enterpriseId,
      group_id: group,
      user_id: fixture.agent.id,
    });
    const viewer = await aTestUser(db, enterpriseId, "viewer", { groupIds: [group] });
    const colleague = await aTestUser(db, enterpriseId, "agent", { groupIds: [group] });
    const manager = await aTestUser(db, enterpriseId, "manager", { groupIds: [group] });
    const outsider = await aTestUser(db, enterpriseId, "manager");
    const integration = await aTestUser(db, enterpriseId, "integration");
    const foreign = await aTicketFixture(db);
    const answers = async (as: TestUser, ticketId = id) =>
      (await api.call(`GET /tickets/${ticketId}/events`, { as })).status;
    expect((await api.call(`GET /tickets/${id}/events`)).status).to.equal(401);
    expect(await answers(viewer)).to.equal(403);
    expect(await answers(viewer, 99_999_999)).to.equal(403);
    expect(await answers(fixture.agent)).to.equal(200);
    expect(await answers(colleague)).to.equal(403);
    expect(await answers(colleague, 99_999_999)).to.equal(404);
    expect(await answers(manager)).to.equal(200);
    expect(await answers(outsider)).to.equal(403);
    expect(await answers(integration)).to.equal(200);
    expect(await answers(foreign.admin)).to.equal(404);
  });
});
