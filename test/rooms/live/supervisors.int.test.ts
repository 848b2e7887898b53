import { expect } from "chai";
import { isRoomTokenValid } from "../../../src/rooms/store.ts";
import { testRoomTokens } from "../../support/api.ts";
import { useDatabase } from "../../support/database.ts";
import { useRoomApi } from "../../support/room-api.ts";
import { aGuest, aRoomTicket, aRoomFixture } from "../../support/room-subjects.ts";
import { useRooms } from "../../support/rooms.ts";
import { aTestUser, type TestUser } from "../../support/tickets.ts";

describe("supervisors", () => {
  const database = useDatabase();
  const rooms = useRooms(database);
  const api = useRoomApi(database);

  const fresh = async () => {
    const fixture = await aRoomFixture(database.db);
    const ticket = await aRoomTicket(database.db, fixture, { agent: fixture.agent });
    const agent = aGuest(ticket, "agent");
    const joined = await rooms.join(agent);
    const sessionId = joined.outcome === "joined" ? joined.sessionId : "";
    const watch = (as: TestUser = fixture.admin) => {
      api.clock.set(new Date()); // tokens are verified by the real clock
      return api.call(`POST /rooms/${sessionId}/supervisor-token`, { as });
    };
    return { fixture, ticket, agent, sessionId, watch };
  };

  const guestOf = async (token: string) => {
    const guest = await testRoomTokens.verify(token);
    if (guest === undefined) {
      throw new Error("The token is not valid");
    }
    return guest;
  };

  it("get a token for one session, with an audit entry", async () => {
    const { fixture, ticket, sessionId, watch } = await fresh();
    const { status, body, text } = await watch();
    expect(status, text).to.equal(200);
    expect(body).to.deep.equal({
      room_token: body.room_token,
      expires_in: 14_400,
      role: "supervisor",
      participant: `supervisor:${fixture.admin.id}`,
      visit: sessionId,
    });
    expect(await guestOf(body.room_token)).to.deep.include({
      conversationId: ticket.conversationId,
      ticketId: ticket.ref.id,
      conferenceId: null,
      name: "",
    });
    const entries = await database
      .db("audit_entries")
      .where({ enterprise_id: fixture.enterpriseId });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({
      ...{ user_id: fixture.admin.id, login: fixture.admin.login, action: "watch" },
      ...{ object: "ticket", object_id: String(ticket.ref.id) },
      changes: { session: { to: sessionId } },
    });
  });

  it("cannot watch a mesh call, nor one after LiveKit failed", async () => {
    const { fixture, sessionId, watch } = await fresh();
    const services = database.db("services").where({ id: fixture.service.id });
    await services.clone().update({ room_backend: "mesh" });
    const list = async () => (await api.call("GET /rooms", { as: fixture.admin })).body.data[0];
    const refused = await watch();
    expect([refused.status, refused.body.details]).to.deep.equal([409, "Reason mesh_only"]);
    expect((await list()).supervision).to.equal("mesh_only");
    await services.clone().update({ room_backend: "auto" });
    expect((await list()).supervision).to.equal("available");
    await database.db("sessions").where({ id: sessionId }).update({ media_route: "fallback" });
    const fallen = await watch();
    expect([fallen.status, fallen.body.details]).to.deep.equal([409, "Reason unreachable"]);
    expect((await list()).supervision).to.equal("unreachable");
    const entries = database.db("audit_entries").where({ enterprise_id: fixture.enterpriseId });
    expect(await entries).to.deep.equal([]);
  });

  it("lose their token with the session, their role or their account", async () => {
    const { fixture, agent, watch } = await fresh();
    const far = await aTestUser(database.db, fixture.enterpriseId, "manager");
    expect((await watch(far)).status).to.equal(403);
    const guest = await guestOf((await watch()).body.room_token);
    const isValid = () => isRoomTokenValid(database.db, guest);
    const users = database.db("users").where({ id: fixture.admin.id });
    expect(await isValid()).to.equal(true);
    await users.clone().update({ role: "agent" });
    expect(await isValid()).to.equal(false);
    await users.clone().update({ role: "manager" });
    expect(await isValid(), "of another group").to.equal(false);
    await users.clone().update({ role: "admin", is_active: false });
    expect(await isValid()).to.equal(false);
    await users.clone().update({ is_active: true });
    expect(await isValid()).to.equal(true);
    await rooms.feature.rooms.end(agent);
    expect(await isValid()).to.equal(false);
    await rooms.join(agent);
    expect(await isValid(), "in the next session").to.equal(false);
  });

  it("are not part of the session, for any message they send", async () => {
    const { fixture, watch } = await fresh();
    const guest = await guestOf((await watch()).body.room_token);
    expect((await rooms.join(guest)).outcome).to.equal("refused");
    expect((await api.callAs(guest, "GET /guest/messages")).status).to.equal(403);
    const people = await database
      .db("participations")
      .where({ enterprise_id: fixture.enterpriseId });
    expect(people.map(({ role }) => role)).to.deep.equal(["agent"]);
    expect(await rooms.feature.rooms.end(guest)).to.equal(false);
  });
});
