import { expect } from "chai";
import type { BoxMessage } from "../../../src/contracts/signalling.ts";
import { eventually } from "../../support/eventually.ts";
import { aTenant, aWholeTicket, tokenFor, type Tenant, type Member } from "../../support/tenant.ts";
import { aTenantRoom } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import {
  aMessage,
  authOf,
  connectAgent,
  hear,
  refusalOf,
  type TestClient,
} from "../../support/signalling.ts";

function kindOf(ack: { error?: { kind: string } }): string {
  return ack.error?.kind ?? "ok";
}
function ofUser(destId: number) {
  return { kind: "user", destId };
}

describe("the authorization of an open agent socket", () => {
  // Disables the periodic token check, so that each call must enforce the refusal itself.
  const fixture = useSignalling({ times: { tokensMs: 60_000, helloMs: 2_000, goneMs: 10_000 } });
  const { database } = fixture;

  /** A separate tenant per test, because the tests change it. */
  const people = async (): Promise<{ tenant: Tenant; agent: Member; colleague: Member }> => {
    const tenant = await aTenant(database.db);
    return { tenant, agent: tenant.members.agent, colleague: tenant.colleague };
  };
  /** Connects a user with a separate token, after `hello`. */
  const come = async (tenant: Tenant, member: Member): Promise<TestClient> => {
    const token = await tokenFor(database.db, member);
    const client = await connectAgent(fixture.node, tenant, { ...member, token });
    await client.ask("hello");
    return client;
  };
  const write = (client: TestClient, { id }: Member, text = "hi") =>
    client.ask("send", { ...ofUser(id), ...aMessage(text) });
  const endTokens = async (member: Member) => {
    await database.db("tokens").where({ user_id: member.id }).delete();
    fixture.node.identitiesChanged(member.enterpriseId);
  };

  it("ends with the sign-out: later messages do not reach it", async () => {
    const { tenant, agent, colleague } = await people();
    const { guest } = await aTenantRoom(database.db, tenant, "requestor");
    const [gone, sender, chief] = [
      await come(tenant, agent),
      await come(tenant, colleague),
      await come(tenant, tenant.members.admin),
    ];
    await endTokens(agent);
    await write(sender, agent, "for your eyes only");
    await hear<BoxMessage>(sender, "message", ({ text }) => text === "for your eyes only");
    await eventually(() => !gone.socket.connected);
    const late = await come(tenant, agent);
    await endTokens(agent);
    const box = { kind: "ticket", destId: guest.ticketId };
    await chief.ask("open", box);
    await chief.ask("send", { ...box, ...aMessage("of the customer") });
    await hear<BoxMessage>(chief, "message", ({ text }) => text === "of the customer");
    await eventually(() => !late.socket.connected);
    expect([...gone.of("message"), ...late.of("message")]).to.deep.equal([]);
  });

  it("ends when the role no longer permits it: no writing, no reading, no messages", async () => {
    const { tenant, agent, colleague } = await people();
    const [lost, sender] = [await come(tenant, agent), await come(tenant, colleague)];
    await write(sender, agent, "before");
    await hear<BoxMessage>(lost, "message", ({ text }) => text === "before");
    await database.db("users").where({ id: agent.id }).update({ role: "viewer" });
    fixture.node.identitiesChanged(tenant.id);
    for (const ack of [
      await write(lost, colleague),
      await lost.ask("open", ofUser(colleague.id)),
      await lost.ask("directory"),
      await lost.ask("presence", { state: "online" }),
    ]) {
      expect(kindOf(ack)).to.equal("forbidden");
    }
    await write(sender, agent, "after");
    await hear<BoxMessage>(sender, "message", ({ text }) => text === "after");
    expect(lost.of<BoxMessage>("message").map(({ text }) => text)).to.deep.equal(["before"]);
  });

  it("ends when the solution is disabled for the enterprise", async () => {
    const { tenant, agent, colleague } = await people();
    const [one, two] = [await come(tenant, agent), await come(tenant, colleague)];
    await database.db("enterprises").where({ id: tenant.id }).update({ solution_enabled: false });
    fixture.node.identitiesChanged(tenant.id);
    expect(kindOf(await write(one, colleague))).to.equal("feature_off");
    expect(kindOf(await two.ask("open", ofUser(agent.id)))).to.equal("feature_off");
  });

  it("follows changes of groups while a page is open", async () => {
    const { tenant, agent, colleague } = await people();
    const client = await come(tenant, agent);
    await database
      .db("group_members")
      .where({ user_id: colleague.id })
      .update({ group_id: tenant.south });
    fixture.node.identitiesChanged(tenant.id);
    expect(kindOf(await write(client, colleague))).to.equal("not_found");
    expect(kindOf(await client.ask("open", ofUser(colleague.id)))).to.equal("not_found");
    await database
      .db("group_members")
      .where({ user_id: tenant.stranger.id })
      .update({ group_id: tenant.north });
    fixture.node.identitiesChanged(tenant.id);
    expect(kindOf(await write(client, tenant.stranger))).to.equal("ok");
  });

  it("requires a hello in time, or the socket is closed", async () => {
    const { tenant, agent, colleague } = await people();
    const idle = await connectAgent(fixture.node, tenant, agent);
    const polite = await come(tenant, colleague);
    await eventually(() => !idle.socket.connected);
    expect((await polite.ask("directory")).ok).to.equal(true);
  });

  it("covers at most a hundred calls, and none of a transferred ticket", async function () {
    this.timeout(30_000);
    const { tenant, agent } = await people();
    const client = await come(tenant, agent);
    const columns = { agentId: agent.id, state: "invited" } as const;
    const tickets = [];
    for (let made = 0; made < 101; made += 1) {
      tickets.push((await aWholeTicket(database.db, tenant, columns)).id);
    }
    /** Retries while it is rate-limited. */
    const ask = (type: string, destId: number) =>
      eventually(
        async () => {
          const ack = await client.ask(type, { destId });
          return kindOf(ack) === "rate_limited" ? false : ack;
        },
        { timeoutMs: 10_000 },
      );
    const acks = [];
    for (const id of tickets) {
      acks.push(kindOf(await ask("call", id)));
    }
    expect(new Set(acks.slice(0, 100))).to.deep.equal(new Set(["ok"]));
    expect(acks[100]).to.equal("quota_reached");
    const [, second = 0, third = 0] = tickets;
    await ask("hang-up", tickets[0] ?? 0);
    expect(kindOf(await ask("call", tickets[100] ?? 0))).to.equal("ok");
    await database.db("tickets").where({ id: second }).update({ agent_id: tenant.stranger.id });
    for (const id of [second, third]) {
      const ticket = await database.db("tickets").where({ id }).first("conversation_id");
      await database.db("sessions").insert({
        id: aMessage("").clientId,
        enterprise_id: tenant.id,
        conversation_id: ticket.conversation_id,
        started_at: new Date(),
      });
    }
    await hear<{ destId: number }>(client, "call", ({ destId }) => destId === third);
    expect(client.of<{ destId: number }>("call"), "the page stops showing it").to.deep.equal([
      { destId: second, isOngoing: false },
      { destId: third, isOngoing: true },
    ]);
    await ask("hang-up", third);
    expect((await ask("call", third)).isOngoing, "a new call").to.equal(true);
  });
});

describe("the rate limit of a user's sockets", () => {
  const fixture = useSignalling({ environment: { RATE_LIMIT_API: "100" } });

  it("is shared by all sockets and REST calls of the user, and with no other user", async () => {
    const { agent, admin } = fixture.tenant.members;
    const other = await connectAgent(fixture.node, fixture.tenant, admin);
    const clients = await Promise.all(
      [1, 2, 3, 4].map(() => connectAgent(fixture.node, fixture.tenant, agent)),
    );
    const acks = await Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: 40 }, () => client.ask("hang-up", { destId: 1 })),
      ),
    );
    const limited = acks.filter((ack) => kindOf(ack) === "rate_limited");
    expect(limited, "four sockets are four calls").to.have.length(160 - 96);
    expect(limited[0].error.detail).to.match(/Try again in \d+ s/u);
    // Retries, because the rate limiter fails open when its shared store times out.
    await eventually(async () => (await fixture.rest(agent.token, "GET /users/me")) === 429);
    const auth = authOf(fixture.tenant, agent);
    expect(await refusalOf(fixture.node.url, "/agent", { auth })).to.equal("rate_limited");
    expect((await other.ask("hello")).ok).to.equal(true);
    expect(await fixture.rest(admin.token, "GET /users/me")).to.equal(200);
  });
});
