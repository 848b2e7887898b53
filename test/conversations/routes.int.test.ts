import { expect } from "chai";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { useRoomApi } from "../support/room-api.ts";
import { aGuest, aRoomConference, aRoomTicket, aRoomFixture } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";
import { aTestUser, type TestUser } from "../support/tickets.ts";

describe("conversations", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const api = useRoomApi(database);

  const fresh = async () => {
    const fixture = await aRoomFixture(database.db);
    const ticket = await aRoomTicket(database.db, fixture, { agent: fixture.agent });
    const conference = await aRoomConference(database.db, fixture, fixture.organizer);
    return { fixture, ticket, conference };
  };

  const nameOf = async (conversationId: number): Promise<string> => {
    const [row] = await database.db("conversations").where({ id: conversationId });
    return String(row.room_name);
  };

  it("are found by id and by uid", async () => {
    const { fixture, ticket } = await fresh();
    const read = async (key: number | string) =>
      (await api.call(`GET /conversations/${key}`, { as: fixture.admin })).body;
    const expected = {
      id: ticket.conversationId,
      uid: ticket.uid,
      name: await nameOf(ticket.conversationId),
      created: "2026-11-20T10:00:00+00:00",
      ticketId: ticket.ref.id,
      conferenceId: null,
      isOngoing: false,
      finishedAt: null,
    };
    expect(await read(ticket.conversationId)).to.deep.equal(expected);
    expect(await read(ticket.uid)).to.deep.equal(expected);
    const agent = aGuest(ticket, "agent");
    await rooms.join(agent);
    expect(await read(ticket.uid)).to.deep.equal({ ...expected, isOngoing: true });
    await rooms.feature.rooms.leave(agent);
    expect(await read(ticket.uid), "nobody is there").to.deep.equal(expected);
    await rooms.join(agent);
    expect(await read(ticket.uid)).to.deep.equal({ ...expected, isOngoing: true });
    await rooms.feature.rooms.end(agent);
    const finishedAt = "2026-11-20T10:00:00+00:00";
    expect(await read(ticket.uid)).to.deep.equal({ ...expected, finishedAt });
  });

  it("are listed newest first, filtered by ticket, conference and date", async () => {
    const { fixture, ticket, conference } = await fresh();
    const as = fixture.admin;
    const list = async (query: string) => {
      const { body } = await api.call(`GET /conversations${query}`, { as });
      return [body.total, body.data.map((one: { id: number }) => one.id)];
    };
    const [a, b] = [ticket.conversationId, conference.conversationId];
    expect(await list("")).to.deep.equal([2, [b, a]]);
    expect(await list("?order=asc&limit=1")).to.deep.equal([2, [a]]);
    expect(await list("?limit=1&offset=1")).to.deep.equal([2, [a]]);
    expect(await list(`?ticketId=${ticket.ref.id}`)).to.deep.equal([1, [a]]);
    expect(await list(`?conferenceId=${conference.ref.id}`)).to.deep.equal([1, [b]]);
    expect(await list("?since=2026-11-20T10:00:01Z")).to.deep.equal([0, []]);
    const { body } = await api.call(`GET /conversations?conferenceId=${conference.ref.id}`, { as });
    expect(body.data[0]).to.deep.equal({
      id: b,
      uid: conference.uid,
      name: await nameOf(b),
      created: "2026-11-20T10:00:00+00:00",
      ticketId: null,
      conferenceId: conference.ref.id,
      isOngoing: false,
      finishedAt: null,
    });
    for (const query of ["?limit=101", "?since=soon", "?ticketId=0"]) {
      expect((await api.call(`GET /conversations${query}`, { as })).status).to.equal(400);
    }
  });

  it("are within reach through their ticket or conference", async () => {
    const { fixture, ticket, conference } = await fresh();
    const stranger = await aTestUser(database.db, fixture.enterpriseId, "agent");
    const viewer = await aTestUser(database.db, fixture.enterpriseId, "viewer");
    const other = (await fresh()).fixture.admin;
    const seen = async (as: TestUser) => [
      (await api.call(`GET /conversations/${ticket.uid}`, { as })).status,
      (await api.call(`GET /conversations/${conference.conversationId}`, { as })).status,
      (await api.call(`GET /conversations/${ticket.conversationId}/messages`, { as })).status,
      (await api.call(`GET /conversations/${ticket.conversationId}/timeline`, { as })).status,
      (await api.call("GET /conversations", { as })).body.total,
    ];
    expect(await seen(fixture.agent)).to.deep.equal([200, 403, 200, 200, 1]);
    expect(await seen(fixture.organizer)).to.deep.equal([403, 200, 403, 403, 1]);
    expect(await seen(stranger)).to.deep.equal([403, 403, 403, 403, 0]);
    expect(await seen(other)).to.deep.equal([404, 404, 404, 404, 2]);
    expect((await seen(viewer)).slice(0, 4)).to.deep.equal([403, 403, 403, 403]);
  });

  it("are not found for a deleted ticket or an unknown key", async () => {
    const { fixture, ticket } = await fresh();
    await database.db("tickets").where({ id: ticket.ref.id }).update({ deleted_at: new Date() });
    const status = async (key: string | number) =>
      (await api.call(`GET /conversations/${key}`, { as: fixture.admin })).status;
    expect(await status(ticket.conversationId)).to.equal(404);
    expect(await status("999999999")).to.equal(404);
    expect(await status("00000000-0000-4000-8000-000000000000")).to.equal(404);
    expect(await status("0")).to.equal(400);
    expect(await status("first")).to.equal(400);
  });

  it("store the messages of staff", async () => {
    const { fixture, ticket } = await fresh();
    const path = `/conversations/${ticket.uid}/messages`;
    const as = fixture.agent;
    const { status, body, headers, text } = await api.call(`POST ${path}`, {
      as,
      json: { text: "Hello <b>" },
    });
    expect(status, text).to.equal(201);
    expect(headers.get("location")).to.equal(
      `/api/conversations/${ticket.conversationId}/messages`,
    );
    expect(body).to.deep.equal({
      id: body.id,
      conversationId: ticket.conversationId,
      sessionId: null,
      author: "agent",
      userId: fixture.agent.id,
      name: "Ada Agent",
      text: "Hello <b>",
      created: "2026-11-20T10:00:00+00:00",
    });
    const joined = await rooms.join(aGuest(ticket, "agent"));
    const second = await api.call(`POST ${path}`, { as, json: { text: "x".repeat(4_000) } });
    expect(second.body.sessionId).to.equal(joined.outcome === "joined" ? joined.sessionId : "");
    expect((await api.call(`GET ${path}`, { as })).body).to.deep.equal({
      total: 2,
      data: [second.body, body],
    });
    expect((await api.call(`GET ${path}?order=asc&offset=1`, { as })).body).to.deep.equal({
      total: 2,
      data: [second.body],
    });
    expect(api.ticketsWithInput).not.to.include(ticket.ref.id);
    for (const json of [{}, { text: "" }, { text: " \n" }, { text: "x".repeat(4_001) }]) {
      expect((await api.call(`POST ${path}`, { as, json })).status).to.equal(400);
    }
    expect((await api.call(`GET ${path}?limit=101`, { as })).status).to.equal(400);
  });

  it("reject messages when they are over", async () => {
    const { fixture, ticket, conference } = await fresh();
    await database.db("tickets").where({ id: ticket.ref.id }).update({ state: "closed" });
    await database.db("conferences").where({ id: conference.ref.id }).update({ status: "ended" });
    for (const { uid } of [ticket, conference]) {
      const path = `/conversations/${uid}/messages`;
      const input = { as: fixture.admin, json: { text: "Hello" } };
      const { status, body } = await api.call(`POST ${path}`, input);
      expect([status, body.code]).to.deep.equal([409, 11]);
      expect((await api.call(`GET ${path}`, { as: fixture.admin })).body.total).to.equal(0);
    }
  });

  it("have the timeline of their ticket; that of a conference is empty", async () => {
    const { fixture, ticket, conference } = await fresh();
    await inTransaction(database.db, (trx) =>
      api.sessionEvents.write(
        trx,
        (["consent.accepted", "ticket.sessionStarted"] as const).map((eventType) => ({
          enterpriseId: fixture.enterpriseId,
          ticketId: ticket.ref.id,
          conversationId: ticket.conversationId,
          eventType,
          source: "guest",
          at: new Date("2026-11-20T10:00:00Z"),
          attributes: {},
        })),
      ),
    );
    const path = `GET /conversations/${ticket.conversationId}/timeline`;
    const { body, headers } = await api.call(path, { as: fixture.agent });
    expect(body[0]).to.deep.equal({
      id: body[0].id,
      eventType: "consent.accepted",
      eventCode: 20,
      conversationId: ticket.conversationId,
      ticketId: ticket.ref.id,
      created: "2026-11-20T10:00:00+00:00",
      source: "guest",
    });
    expect(body.map((one: { eventCode: number }) => one.eventCode)).to.deep.equal([20, 8]);
    expect(headers.get("x-total-count")).to.equal("2");
    const page = await api.call(`${path}?order=desc&limit=1`, { as: fixture.agent });
    expect(page.body.map((one: { eventCode: number }) => one.eventCode)).to.deep.equal([8]);
    const none = await api.call(`GET /conversations/${conference.uid}/timeline`, {
      as: fixture.admin,
    });
    expect(none.body).to.deep.equal([]);
  });
});
