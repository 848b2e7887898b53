import { expect } from "chai";
import type { PresenceChange } from "../../../src/contracts/signalling.ts";
import { eventually } from "../../support/eventually.ts";
import { aTenant, tokenFor } from "../../support/tenant.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import {
  aMessage,
  authOf,
  closeClients,
  connect,
  connectAgent,
  hear,
  refusalOf,
} from "../../support/signalling.ts";

describe("the sockets of the agent module", () => {
  const fixture = useSignalling();
  const { database, aTicket } = fixture;

  it("admit users with a valid token of their own", async () => {
    const { agent, viewer } = fixture.tenant.members;
    const other = await aTenant(database.db);
    const valid = authOf(fixture.tenant, agent);
    const client = await connect(fixture.node.url, "/agent", { auth: valid });
    expect((await client.ask("hello")).ok).to.equal(true);
    // `userId` may be a numeric string.
    await connect(fixture.node.url, "/agent", { auth: { ...valid, userId: String(agent.id) } });
    const refused = (auth: object) => refusalOf(fixture.node.url, "/agent", { auth });
    expect(await refused({})).to.equal("bad_token");
    expect(await refused({ ...valid, token: "x" })).to.equal("bad_token");
    expect(await refused({ ...valid, token: { $ne: 1 } })).to.equal("bad_token");
    expect(await refused({ ...valid, apiKey: other.apiKey })).to.equal("bad_token");
    expect(await refused({ ...valid, userId: fixture.tenant.colleague.id })).to.equal("bad_token");
    expect(await refused(authOf(fixture.tenant, viewer))).to.equal("forbidden");
    expect(await refusalOf(fixture.node.url, "/", { auth: valid })).to.equal("not_found");
  });

  it("are opened by our pages and those of the enterprise's domains only", async () => {
    const auth = authOf(fixture.tenant, fixture.tenant.members.agent);
    for (const origin of ["https://crm.example", "https://sightline.example"]) {
      const client = await connect(fixture.node.url, "/agent", { auth, origin });
      expect(client.socket.connected).to.equal(true);
    }
    for (const origin of ["https://evil.example", "http://crm.example", "null"]) {
      expect(await refusalOf(fixture.node.url, "/agent", { auth, origin }), origin).to.equal(
        "forbidden",
      );
    }
  });

  it("support WebSocket only", async () => {
    const response = await fetch(`${fixture.node.url}/signalling/?EIO=4&transport=polling`, {
      headers: { origin: "https://crm.example" },
    });
    expect(response.status).to.equal(400);
    expect(response.headers.get("access-control-allow-origin")).to.equal(null);
    expect(response.headers.get("set-cookie")).to.equal(null);
  });

  it("limit the number of open pages per user, including pages in their grace period", async () => {
    const auth = authOf(fixture.tenant, fixture.tenant.members.manager);
    await Promise.all(
      Array.from({ length: 40 }, () => connect(fixture.node.url, "/agent", { auth })),
    );
    expect(await refusalOf(fixture.node.url, "/agent", { auth })).to.equal("quota_reached");
    closeClients();
    const again = await eventually(() => connect(fixture.node.url, "/agent", { auth }));
    expect(again.socket.connected).to.equal(true);
  });

  it("show the visible colleagues, and which of them are online", async () => {
    const { members, colleague, stranger } = fixture.tenant;
    const agent = await connectAgent(fixture.node, fixture.tenant, members.agent);
    const { users } = await agent.ask("hello");
    const names = users.map(({ nickname }: { nickname: string }) => nickname);
    expect(names).to.include.members([
      `colleague ${fixture.tenant.mark}`,
      `admin ${fixture.tenant.mark}`,
    ]);
    for (const hidden of ["viewer", "integration", "stranger", "agent"]) {
      expect(names).not.to.include(`${hidden} ${fixture.tenant.mark}`);
    }
    const admin = await connectAgent(fixture.node, fixture.tenant, members.admin);
    const all = (await admin.ask("directory")).users;
    expect(all.map(({ id }: { id: number }) => id)).to.include.members([
      colleague.id,
      stranger.id,
      members.agent.id,
    ]);
    const me = all.find(({ id }: { id: number }) => id === members.agent.id);
    expect(me).to.deep.equal({
      id: members.agent.id,
      nickname: `agent ${fixture.tenant.mark}`,
      state: "online",
    });
  });

  it("report arrivals and departures: at once if intended, after a grace period otherwise", async () => {
    const { members, colleague } = fixture.tenant;
    const admin = await connectAgent(fixture.node, fixture.tenant, members.admin);
    await admin.ask("hello");
    const come = await connectAgent(fixture.node, fixture.tenant, colleague);
    const of = (state: string) => (change: PresenceChange) =>
      change.state === state && change.users.some(({ id }) => id === colleague.id);
    const came = await hear(admin, "presence", of("online"));
    expect(came).to.deep.equal({
      time: came.time,
      state: "online",
      users: [{ id: colleague.id, nickname: `colleague ${fixture.tenant.mark}` }],
    });
    expect(new Date(came.time).toISOString()).to.equal(came.time);
    // A page reload must not emit a presence change.
    come.socket.io.engine.close();
    const back = await connectAgent(fixture.node, fixture.tenant, colleague);
    await back.ask("hello");
    back.close();
    await hear(admin, "presence", of("offline"));
    expect(admin.of<PresenceChange>("presence").filter(of("online"))).to.have.length(1);
    const third = await connectAgent(fixture.node, fixture.tenant, colleague);
    await eventually(() => admin.of<PresenceChange>("presence").filter(of("online")).length === 2);
    third.socket.io.engine.close();
    await eventually(() => admin.of<PresenceChange>("presence").filter(of("offline")).length === 2);
  });

  it("hide a user on request, on all current and later pages", async () => {
    const { members, colleague } = fixture.tenant;
    const admin = await connectAgent(fixture.node, fixture.tenant, members.admin);
    await admin.ask("hello");
    const first = await connectAgent(fixture.node, fixture.tenant, colleague);
    const second = await connectAgent(fixture.node, fixture.tenant, colleague);
    const isColleague = ({ users }: PresenceChange) => users.some(({ id }) => id === colleague.id);
    await hear(admin, "presence", isColleague);
    expect(await first.ask("presence", { state: "offline" })).to.deep.equal({
      ok: true,
      state: "offline",
    });
    expect(await hear(second, "state")).to.deep.equal({ state: "offline" });
    await hear<PresenceChange>(
      admin,
      "presence",
      (change) => change.state === "offline" && isColleague(change),
    );
    const third = await connectAgent(fixture.node, fixture.tenant, colleague);
    expect((await third.ask("hello")).state).to.equal("offline");
    const input = await connectAgent(fixture.node, fixture.tenant, colleague, { state: "online" });
    expect((await input.ask("hello")).state, "a page that slept knows less").to.equal("offline");
    const wrong = await input.ask("presence", { state: "away" });
    expect(wrong.error.kind).to.equal("invalid_parameter");
  });

  it("open the agent's page of a ticket in a frame, if the origin may frame it", async () => {
    const { tenant, node } = fixture;
    const { id } = await aTicket();
    const auth = authOf(tenant, tenant.members.agent);
    const agent = await connect(node.url, "/agent", { auth, origin: "https://crm.example" });
    const { ssoUrl } = await agent.ask("call-page", { destId: id });
    const { pathname, searchParams } = new URL(ssoUrl);
    const token = String(searchParams.get("access_token"));
    expect(pathname).to.match(new RegExp(`^/agent/entrypoint/\\d+/tickets/${id}$`, "u"));
    expect(await fixture.rest(token, "GET /users/me"), "no token of the API").to.equal(401);
    const row = await database.db("tokens").where({ ticket_id: id }).first();
    expect(row).to.include({
      kind: "sso",
      enterprise_id: tenant.id,
      user_id: tenant.members.agent.id,
    });
    expect(row.expires_at.getTime() - Date.now()).to.be.within(0, 12 * 3_600_000);

    const unknown = await agent.ask("call-page", { destId: 999_999 });
    expect(unknown.error.kind).to.equal("not_found");
    const of = database.db("enterprise_domains").where({ enterprise_id: tenant.id });
    await of.clone().update({ domain: "other.example" });
    expect(await agent.ask("call-page", { destId: id })).to.deep.equal({ ok: true, ssoUrl: null });
    await of.clone().update({ domain: "crm.example" });
    await database.db("tickets").where({ id }).update({ state: "closed" });
    const closed = await agent.ask("call-page", { destId: id });
    expect(closed.error.kind).to.equal("conflict");
    const tokens = await database.db("tokens").where({ ticket_id: id });
    expect(tokens, "only the first one").to.have.length(1);
  });

  it("report when people join the room of a call and when it is empty", async () => {
    const { id, conversationId } = await aTicket();
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    const { agentUrl } = await agent.ask("call", { destId: id });
    expect(agentUrl).to.match(new RegExp(`/tickets/${id}$`, "u"));
    const [session] = await database
      .db("sessions")
      .insert({
        id: aMessage("").clientId,
        enterprise_id: fixture.tenant.id,
        conversation_id: conversationId,
        started_at: new Date(),
      })
      .returning("id");
    const events = await hear(agent, "call");
    expect(events).to.deep.equal({ destId: id, isOngoing: true });
    await database.db("sessions").where({ id: session.id }).update({
      ended_at: new Date(),
      end_reason: "ended",
      finished_at: new Date(),
      billing_seconds: 0,
    });
    await hear<{ isOngoing: boolean }>(agent, "call", ({ isOngoing }) => !isOngoing);
  });

  it("close with the token, and say why", async () => {
    const token = await tokenFor(database.db, fixture.tenant.members.agent);
    const agent = await connectAgent(fixture.node, fixture.tenant, {
      ...fixture.tenant.members.agent,
      token,
    });
    const revoked = await fetch(`${fixture.node.url}/api/token`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(revoked.status).to.equal(204);
    await eventually(() => !agent.socket.connected);
    expect(agent.of("over")).to.deep.equal([{ reason: "token" }]);
    const short = await tokenFor(database.db, fixture.tenant.members.agent, 3);
    const other = await connectAgent(fixture.node, fixture.tenant, {
      ...fixture.tenant.members.agent,
      token: short,
    });
    await eventually(() => !other.socket.connected, { timeoutMs: 10_000 });
    expect(other.of("over")).to.deep.equal([{ reason: "token" }]);
  });

  it("are counted in metrics, without names", async () => {
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    await agent.ask("directory");
    const text = await fixture.node.metrics();
    expect(text).to.match(/signalling_connections\{namespace="\/agent"\} [1-9]/u);
    expect(text).to.match(
      /signalling_messages_total\{namespace="\/agent",type="directory",outcome="ok"\} \d/u,
    );
    expect(text).to.match(
      /signalling_refusals_total\{namespace="\/agent",reason="bad_token"\} \d/u,
    );
  });
});
