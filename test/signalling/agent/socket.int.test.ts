import { expect } from "chai";
import type { BoxMessage } from "../../../src/contracts/signalling.ts";
import { eventually } from "../../support/eventually.ts";
import { aHouse, aWholeTicket, tokenFor, type House, type Member } from "../../support/house.ts";
import { aHouseRoom } from "../../support/house-rooms.ts";
import { useSignalling } from "../../support/signalling-house.ts";
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

describe("who may go on as a user of the agent module", () => {
  // Disables the periodic token check: each call must enforce the refusal itself.
  const world = useSignalling({ times: { tokensMs: 60_000, helloMs: 2_000, goneMs: 10_000 } });
  const { database } = world;

  /** A house per test, because the tests change it. */
  const people = async (): Promise<{ house: House; agent: Member; colleague: Member }> => {
    const house = await aHouse(database.db);
    return { house, agent: house.members.agent, colleague: house.colleague };
  };
  /** A connected user with their own token, after `hello`. */
  const come = async (house: House, member: Member): Promise<TestClient> => {
    const token = await tokenFor(database.db, member);
    const client = await connectAgent(world.node, house, { ...member, token });
    await client.ask("hello");
    return client;
  };
  const write = (client: TestClient, { id }: Member, text = "hi") =>
    client.ask("send", { ...ofUser(id), ...aMessage(text) });
  const endTokens = async (member: Member) => {
    await database.db("tokens").where({ user_id: member.id }).delete();
    world.node.identitiesChanged(member.enterpriseId);
  };

  it("is not who signed out: nothing written since reaches their sockets", async () => {
    const { house, agent, colleague } = await people();
    const { guest } = await aHouseRoom(database.db, house, "requestor");
    const [gone, sender, chief] = [
      await come(house, agent),
      await come(house, colleague),
      await come(house, house.members.admin),
    ];
    await endTokens(agent);
    await write(sender, agent, "for your eyes only");
    await hear<BoxMessage>(sender, "message", ({ text }) => text === "for your eyes only");
    await eventually(() => !gone.socket.connected);
    const late = await come(house, agent);
    await endTokens(agent);
    const box = { kind: "ticket", destId: guest.ticketId };
    await chief.ask("open", box);
    await chief.ask("send", { ...box, ...aMessage("of the customer") });
    await hear<BoxMessage>(chief, "message", ({ text }) => text === "of the customer");
    await eventually(() => !late.socket.connected);
    expect([...gone.of("message"), ...late.of("message")]).to.deep.equal([]);
  });

  it("is not who lost the role for it: they neither write, nor read, nor are told", async () => {
    const { house, agent, colleague } = await people();
    const [lost, sender] = [await come(house, agent), await come(house, colleague)];
    await write(sender, agent, "before");
    await hear<BoxMessage>(lost, "message", ({ text }) => text === "before");
    await database.db("users").where({ id: agent.id }).update({ role: "viewer" });
    world.node.identitiesChanged(house.id);
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

  it("is nobody of an enterprise that has no solution any more", async () => {
    const { house, agent, colleague } = await people();
    const [one, two] = [await come(house, agent), await come(house, colleague)];
    await database.db("enterprises").where({ id: house.id }).update({ solution_enabled: false });
    world.node.identitiesChanged(house.id);
    expect(kindOf(await write(one, colleague))).to.equal("feature_off");
    expect(kindOf(await two.ask("open", ofUser(agent.id)))).to.equal("feature_off");
  });

  it("writes to whom they see at this moment: groups change while a page is open", async () => {
    const { house, agent, colleague } = await people();
    const client = await come(house, agent);
    await database
      .db("group_members")
      .where({ user_id: colleague.id })
      .update({ group_id: house.south });
    world.node.identitiesChanged(house.id);
    expect(kindOf(await write(client, colleague))).to.equal("not_found");
    expect(kindOf(await client.ask("open", ofUser(colleague.id)))).to.equal("not_found");
    await database
      .db("group_members")
      .where({ user_id: house.stranger.id })
      .update({ group_id: house.north });
    world.node.identitiesChanged(house.id);
    expect(kindOf(await write(client, house.stranger))).to.equal("ok");
  });

  it("says hello in time, or is cut off", async () => {
    const { house, agent, colleague } = await people();
    const idle = await connectAgent(world.node, house, agent);
    const polite = await come(house, colleague);
    await eventually(() => !idle.socket.connected);
    expect((await polite.ask("directory")).ok).to.equal(true);
  });

  it("watches a hundred calls at most, and none of a ticket that went to somebody else", async function () {
    this.timeout(30_000);
    const { house, agent } = await people();
    const client = await come(house, agent);
    const wish = { agentId: agent.id, state: "invited" } as const;
    const tickets = [];
    for (let made = 0; made < 101; made += 1) {
      tickets.push((await aWholeTicket(database.db, house, wish)).id);
    }
    /** Retries while rate-limited. */
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
    await database.db("tickets").where({ id: second }).update({ agent_id: house.stranger.id });
    for (const id of [second, third]) {
      const ticket = await database.db("tickets").where({ id }).first("conversation_id");
      await database.db("sessions").insert({
        id: aMessage("").clientId,
        enterprise_id: house.id,
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
    expect((await ask("call", third)).isOngoing, "begun anew").to.equal(true);
  });
});

describe("what a user may ask by all their sockets", () => {
  const world = useSignalling({ environment: { RATE_LIMIT_API: "100" } });

  it("is counted together, with their calls by REST, and with nobody else's", async () => {
    const { agent, admin } = world.house.members;
    const other = await connectAgent(world.node, world.house, admin);
    const clients = await Promise.all(
      [1, 2, 3, 4].map(() => connectAgent(world.node, world.house, agent)),
    );
    const acks = await Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: 40 }, () => client.ask("hang-up", { destId: 1 })),
      ),
    );
    const limited = acks.filter((ack) => kindOf(ack) === "rate_limited");
    expect(limited, "four sockets are four calls").to.have.length(160 - 96);
    expect(limited[0].error.detail).to.match(/Try again in \d+ s/u);
    // Retry: the rate limiter fails open when its shared store times out.
    await eventually(async () => (await world.rest(agent.token, "GET /users/me")) === 429);
    const auth = authOf(world.house, agent);
    expect(await refusalOf(world.node.url, "/agent", { auth })).to.equal("rate_limited");
    expect((await other.ask("hello")).ok).to.equal(true);
    expect(await world.rest(admin.token, "GET /users/me")).to.equal(200);
  });
});
