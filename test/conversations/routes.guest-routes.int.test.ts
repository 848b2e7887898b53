import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { useRoomApi } from "../support/room-api.ts";
import { aGuest } from "../support/room-subjects.ts";
import { useRooms } from "../support/rooms.ts";

describe("messages in a room", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const api = useRoomApi(database);

  it("of a customer outside a session mark the ticket for attention", async () => {
    const { subject } = await rooms.both();
    const customer = aGuest(subject, "requestor", { name: "Jane" });
    const { status, body, text } = await api.callAs(customer, "POST /guest/messages", {
      text: "Is anybody there?",
    });
    expect(status, text).to.equal(201);
    expect(body).to.deep.equal({
      id: body.id,
      author: "guest",
      name: "Jane",
      text: "Is anybody there?",
      created: "2026-11-20T10:00:00+00:00",
    });
    expect(api.ticketsWithInput.filter((id) => id === subject.ref.id)).to.have.length(1);
    const [row] = await database.db("chat_messages").where({ id: body.id });
    expect(row).to.deep.include({ session_id: null, author: "guest", user_id: null });
  });

  it("inside a session belong to the session, and do not change the ticket", async () => {
    const { subject, agent, customer } = await rooms.both();
    const joined = await rooms.join(agent);
    await api.callAs(customer, "POST /guest/messages", { text: "Hello" });
    const answer = await api.callAs(agent, "POST /guest/messages", { text: "Hello too" });
    expect(api.ticketsWithInput).not.to.include(subject.ref.id);
    const rows = await database
      .db("chat_messages")
      .where({ conversation_id: subject.conversationId })
      .orderBy("id");
    const sessionId = joined.outcome === "joined" ? joined.sessionId : "";
    expect(
      rows.map(({ session_id, author, user_id }) => [session_id, author, user_id]),
    ).to.deep.equal([
      [sessionId, "guest", null],
      [sessionId, "agent", rooms.fixture.agent.id],
    ]);
    const { body, headers } = await api.callAs(customer, "GET /guest/messages?limit=1");
    expect(body).to.deep.equal({ total: 2, data: [answer.body] });
    expect(headers.get("x-total-count")).to.equal("2");
  });

  it("of a conference are hidden from waiting people and from other rooms", async () => {
    const conference = await rooms.conference();
    const organizer = aGuest(conference, "organizer");
    await api.callAs(organizer, "POST /guest/messages", { text: "Welcome" });
    const waiting = aGuest(conference, "waiting");
    expect((await api.callAs(waiting, "GET /guest/messages")).status).to.equal(403);
    const post = await api.callAs(waiting, "POST /guest/messages", { text: "Let me in" });
    expect(post.status).to.equal(403);
    const elsewhere = aGuest(await rooms.conference(), "participant");
    expect((await api.callAs(elsewhere, "GET /guest/messages")).body.total).to.equal(0);
    const inside = aGuest(conference, "participant");
    expect((await api.callAs(inside, "GET /guest/messages")).body.total).to.equal(1);
  });

  it("may contain line breaks and tabs, but no other control characters", async () => {
    const { customer } = await rooms.both();
    const write = async (text: string) =>
      (await api.callAs(customer, "POST /guest/messages", { text })).status;
    expect(await write("one\r\n\ttwo")).to.equal(201);
    for (const text of ["a\u0007b", "\u001b[2J", "a\u0085b", "\n", ""]) {
      expect(await write(text), JSON.stringify(text)).to.equal(400);
    }
  });

  it("are rejected when the room is over", async () => {
    const { subject, customer, agent } = await rooms.both();
    await api.callAs(customer, "POST /guest/messages", { text: "My number is 4711" });
    await database.db("tickets").where({ id: subject.ref.id }).update({ state: "closed" });
    const closed = await api.callAs(customer, "POST /guest/messages", { text: "Hello?" });
    expect([closed.status, closed.body.code]).to.deep.equal([410, 17]);
    for (const guest of [customer, agent]) {
      const read = await api.callAs(guest, "GET /guest/messages");
      expect([read.status, read.body.code]).to.deep.equal([410, 17]);
      expect(read.text).not.to.include("4711");
    }
    const deleted_at = new Date();
    await database.db("tickets").where({ id: subject.ref.id }).update({ deleted_at });
    expect((await api.callAs(customer, "GET /guest/messages")).status).to.equal(410);
    const kept = await database
      .db("chat_messages")
      .where({ conversation_id: subject.conversationId });
    expect(kept.map(({ text }) => text)).to.deep.equal(["My number is 4711"]);
  });
});
