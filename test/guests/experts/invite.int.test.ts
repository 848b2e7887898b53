import { expect } from "chai";
import { useExpertCalls } from "../../support/expert-calls.ts";
import { hear, joinCall } from "../../support/signalling.ts";

describe("the invitation of an expert", () => {
  const { fixture, database, call, aCall, enter } = useExpertCalls();

  it("accepts a colleague, whose account must stay active", async () => {
    const { invite, staff, ticketId } = await aCall();
    const { id } = fixture.tenant.colleague;
    const listed = await call(`GET /api/tickets/${ticketId}/colleagues`, staff);
    const shown = listed.body.data.find((one: { id: number }) => one.id === id);
    expect(Object.keys(shown)).to.have.members(["id", "login", "name", "may_take"]);
    const { status, body } = await invite({ user_id: id });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body).to.include({ name: shown.name, contact: null });
    const entered = await enter(body.link);
    const expert = await joinCall(fixture.node, entered.body.room_token);
    expect(expert.self.name).to.equal(shown.name);
    await database.db("users").where({ id }).update({ is_active: false });
    expect(await hear(expert, "over")).to.deep.equal({ reason: "token" });
    expect((await enter(body.link)).status).to.equal(410);
    const experts = () => call(`GET /api/tickets/${ticketId}/experts`, staff);
    expect((await experts()).body.total).to.equal(0);
    await database.db("users").where({ id }).update({ is_active: true });
    expect((await experts()).body.total).to.equal(1);
    const { stranger } = fixture.tenant;
    expect((await invite({ user_id: stranger.id })).status, "of another group").to.equal(400);
  });

  it("accepts a colleague with a long name, which is truncated", async () => {
    const { invite } = await aCall();
    const { id } = fixture.tenant.members.manager;
    const names = { firstname: "A".repeat(128), lastname: "B".repeat(128) };
    await database.db("users").where({ id }).update(names);
    const { status, body } = await invite({ user_id: id });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.name).to.equal(names.firstname);
  });

  it("requires the agent of the ticket, and a running call", async () => {
    const { invite, ticketId, agent } = await aCall();
    const { admin } = fixture.tenant.members;
    const path = `POST /api/tickets/${ticketId}/experts`;
    const other = await call(path, admin.token, { email: "vera@example.com" });
    expect(other.status).to.equal(403);
    for (const body of [{}, { name: "Vera" }, { user_id: 1, email: "vera@example.com" }]) {
      expect((await invite(body)).status, JSON.stringify(body)).to.equal(400);
    }
    expect((await invite({ user_id: 999_999 })).status, "an unknown colleague").to.equal(400);
    await agent.ask("end");
    expect((await invite({ email: "vera@example.com" })).status).to.equal(409);
  });
});
