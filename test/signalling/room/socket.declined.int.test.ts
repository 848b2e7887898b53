import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { aTicketRoom, issueToken } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { connectGuest, hear } from "../../support/signalling.ts";

describe("a customer who declined", () => {
  const fixture = useSignalling();
  const { database } = fixture;

  const tickets = () => database.db("tickets");

  it("is disconnected from the room, by REST and by socket, in every page, until the link is reopened", async () => {
    const { guest, customer: token } = await aTicketRoom(database.db, fixture.tenant);
    const ticket = { id: guest.ticketId };
    await tickets().where(ticket).update({ state: "invited" });
    const enter = () => issueToken({ ...guest, visit: randomUUID() });
    const otherPage = await enter();
    const [one, other] = [
      await connectGuest(fixture.node, token),
      await connectGuest(fixture.node, otherPage),
    ];
    await one.ask("hello");
    await other.ask("hello");
    const write = (by: string) => fixture.rest(by, "POST /guest/messages", { text: "Hello" });
    expect([await write(token), await write(otherPage)]).to.deep.equal([201, 201]);

    expect(await fixture.rest(token, "POST /guest/decline")).to.equal(204);
    expect([await write(token), await write(otherPage)]).to.deep.equal([401, 401]);
    expect(await hear(one, "over")).to.deep.equal({ reason: "token" });
    expect(await hear(other, "over")).to.deep.equal({ reason: "token" });
    await eventually(() => !one.socket.connected && !other.socket.connected);
    const back = await connectGuest(fixture.node, token).catch((error: Error) => error.message);
    expect(back).to.equal("bad_token");

    await tickets().where(ticket).update({ state: "invited" });
    expect(await write(token), "the declined visit, after a new invitation").to.equal(401);
    expect(await write(await enter()), "a new visit").to.equal(201);
  });

  it("can still answer the survey of a recent session", async () => {
    const { guest, customer: token } = await aTicketRoom(database.db, fixture.tenant);
    const { enterpriseId, conversationId } = guest;
    await tickets().where({ id: guest.ticketId }).update({ state: "declined" });
    const read = () => fixture.rest(token, "GET /guest/visit");
    expect(await read()).to.equal(401);
    const at = new Date();
    await database.db("sessions").insert({
      ...{ id: guest.visit, enterprise_id: enterpriseId, conversation_id: conversationId },
      ...{ started_at: at, ended_at: at, finished_at: at, end_reason: "ended" },
      ...{ billing_seconds: 0, both_seconds: 0, participant_count: 2 },
    });
    expect(await read()).to.equal(200);
  });
});
