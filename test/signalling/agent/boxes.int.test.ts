import { expect } from "chai";
import type { BoxMessage } from "../../../src/contracts/signalling.ts";
import { eventually } from "../../support/eventually.ts";
import { aTenant } from "../../support/tenant.ts";
import { aTenantRoom } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { aMessage, connectAgent, connectGuest, hear } from "../../support/signalling.ts";

describe("the message boxes of the agent module", () => {
  const fixture = useSignalling();
  const { database, aTicket } = fixture;
  const ofTicket = (destId: number) => ({ kind: "ticket", destId });
  const ofUser = (destId: number) => ({ kind: "user", destId });

  it("chat with the customer of a ticket, stored in its conversation", async () => {
    const { id, conversationId } = await aTicket();
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    const opened = await agent.ask("open", ofTicket(id));
    expect(opened).to.deep.equal({
      ok: true,
      ...ofTicket(id),
      nickname: fixture.tenant.mark,
      agentUrl: `https://sightline.example/agent/entrypoint/${fixture.tenant.buttonId}/tickets/${id}`,
      isOver: false,
      messages: [],
    });
    const written = aMessage("Hello <b>you</b>");
    const { ok, message } = await agent.ask("send", { ...ofTicket(id), ...written });
    expect(ok).to.equal(true);
    expect(message).to.deep.equal({
      id: message.id,
      ...ofTicket(id),
      author: "agent",
      userId: fixture.tenant.members.agent.id,
      name: `agent ${fixture.tenant.mark}`,
      text: written.text,
      created: message.created,
      clientId: written.clientId,
    });
    // All pages of the agent get the message, including the sender.
    expect(await hear<BoxMessage>(agent, "message")).to.deep.equal(message);
    const rows = await database.db("chat_messages").where({ conversation_id: conversationId });
    expect(rows.map(({ text, author }) => [text, author])).to.deep.equal([[written.text, "agent"]]);
    // A retry after a lost acknowledgement must not duplicate the message.
    const again = await agent.ask("send", { ...ofTicket(id), ...written });
    expect(again.message).to.deep.equal(message);
    expect((await agent.ask("open", ofTicket(id))).messages).to.deep.equal([message]);
    expect(
      (await agent.ask("open", { ...ofTicket(id), after: message.id })).messages,
    ).to.deep.equal([]);
  });

  it("receive messages of a customer, by REST or by a socket, without an open box", async () => {
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    const stranger = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.stranger);
    const response = await fetch(`${fixture.node.url}/api/guest/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "by REST" }),
    });
    expect(response.status).to.equal(201);
    const byRest = await hear<BoxMessage>(agent, "message", ({ text }) => text === "by REST");
    expect(byRest).to.deep.include({ kind: "ticket", destId: guest.ticketId, author: "guest" });
    const customer = await connectGuest(fixture.node, token);
    await customer.ask("hello");
    await customer.ask("chat", aMessage("by socket"));
    await hear<BoxMessage>(agent, "message", ({ text }) => text === "by socket");
    expect(stranger.of("message")).to.deep.equal([]);
  });

  it("reject a ticket outside the user's reach", async () => {
    const { id } = await aTicket();
    const other = await aTenant(database.db);
    const stranger = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.stranger);
    const foreign = await connectAgent(fixture.node, other, other.members.admin);
    const kinds = async (client: typeof stranger) => {
      const acks = [
        await client.ask("open", ofTicket(id)),
        await client.ask("send", { ...ofTicket(id), ...aMessage("x") }),
        await client.ask("call", { destId: id }),
      ];
      return acks.map(({ ok, error }) => [ok, error.kind]);
    };
    for (const ack of await kinds(stranger)) {
      expect(ack).to.deep.equal([false, "forbidden"]);
    }
    for (const ack of await kinds(foreign)) {
      expect(ack).to.deep.equal([false, "not_found"]);
    }
  });

  it("stop receiving messages of a ticket that was transferred", async () => {
    const { id } = await aTicket();
    const former = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    await former.ask("open", ofTicket(id));
    await database.db("tickets").where({ id }).update({ agent_id: fixture.tenant.stranger.id });
    const now = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.stranger);
    await now.ask("send", { ...ofTicket(id), ...aMessage("for the new agent's eyes") });
    await hear(now, "message");
    expect(former.of("message")).to.deep.equal([]);
    const late = await former.ask("send", { ...ofTicket(id), ...aMessage("still me") });
    expect(late.error.kind).to.equal("forbidden");
  });

  it("reject messages to a closed conversation", async () => {
    const { id } = await aTicket();
    await database.db("tickets").where({ id }).update({ state: "closed" });
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    expect((await agent.ask("open", ofTicket(id))).isOver).to.equal(true);
    const sent = await agent.ask("send", { ...ofTicket(id), ...aMessage("hello?") });
    expect(sent.error.kind).to.equal("conflict");
  });

  it("name the invalid field of a message", async () => {
    const { id } = await aTicket();
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    const valid = { ...ofTicket(id), ...aMessage("x") };
    const kind = async (input: unknown) => (await agent.ask("send", input)).error?.kind;
    expect(await kind(null)).to.equal("missing_parameter");
    expect(await kind({ ...valid, text: "  " })).to.equal("invalid_parameter");
    expect(await kind({ ...valid, text: "a\u0000b" })).to.equal("invalid_parameter");
    expect(await kind({ ...valid, text: "x".repeat(4_001) })).to.equal("invalid_parameter");
    expect(await kind({ ...valid, clientId: "1; DROP TABLE" })).to.equal("invalid_parameter");
    expect(await kind({ ...valid, destId: -1 })).to.equal("invalid_parameter");
    expect(await kind({ ...valid, kind: "enterprise" })).to.equal("invalid_parameter");
    const smileys = await agent.ask("send", { ...valid, text: "😀".repeat(4_000) });
    expect(smileys.ok, JSON.stringify(smileys)).to.equal(true);
  });

  it("slow down a fast sender, and disconnect on a flood", async () => {
    const { id } = await aTicket();
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    const acks = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        agent.ask("send", { ...ofTicket(id), ...aMessage(`${at}`) }),
      ),
    );
    const limited = acks.filter(({ error }) => error?.kind === "rate_limited");
    expect(limited.length).to.be.within(8, 10);
    agent.socket.emit("send", { ...ofTicket(id), text: "x".repeat(100_000) }, () => undefined);
    await eventually(() => !agent.socket.connected);
  });

  it("carry messages between two users, each of whom sees the other as the box", async () => {
    const { members, colleague } = fixture.tenant;
    const agent = await connectAgent(fixture.node, fixture.tenant, members.agent);
    await agent.ask("hello");
    const other = await connectAgent(fixture.node, fixture.tenant, colleague);
    const opened = await agent.ask("open", ofUser(colleague.id));
    expect(opened).to.deep.equal({
      ok: true,
      ...ofUser(colleague.id),
      nickname: `colleague ${fixture.tenant.mark}`,
      agentUrl: null,
      isOver: false,
      messages: [],
    });
    const written = aMessage("Can you take 4711?");
    const { message } = await agent.ask("send", { ...ofUser(colleague.id), ...written });
    const got = await hear<BoxMessage>(other, "message");
    expect(got).to.deep.equal({ ...message, destId: members.agent.id });
    expect(got.userId).to.equal(members.agent.id);
    await agent.ask("send", { ...ofUser(colleague.id), ...written });
    const back = await other.ask("open", ofUser(members.agent.id));
    expect(back.messages).to.deep.equal([got]);
    expect(back.messages[0].destId).to.equal(members.agent.id);
  });

  it("allow a recipient to answer, and nobody to write to an invisible colleague", async () => {
    const { members, stranger } = fixture.tenant;
    const agent = await connectAgent(fixture.node, fixture.tenant, members.agent);
    await agent.ask("hello");
    const blind = await agent.ask("send", { ...ofUser(stranger.id), ...aMessage("hi") });
    expect(blind.error.kind).to.equal("not_found");
    expect((await agent.ask("open", ofUser(members.agent.id))).error.kind).to.equal("not_found");
    const manager = await connectAgent(fixture.node, fixture.tenant, members.manager);
    await manager.ask("hello");
    await manager.ask("send", { ...ofUser(stranger.id), ...aMessage("Welcome") });
    const other = await connectAgent(fixture.node, fixture.tenant, stranger);
    await other.ask("hello");
    const answered = await other.ask("send", { ...ofUser(members.manager.id), ...aMessage("Thx") });
    expect(answered.ok).to.equal(true);
    const foreign = await aTenant(database.db);
    const outside = await connectAgent(fixture.node, foreign, foreign.members.admin);
    await outside.ask("hello");
    const over = await outside.ask("open", ofUser(members.agent.id));
    expect(over.error.kind).to.equal("not_found");
  });

  it("invite a customer once, for repeated requests of the page", async () => {
    const agent = await connectAgent(fixture.node, fixture.tenant, fixture.tenant.members.agent);
    const invitation = { ...aMessage("x"), email: "jane@customer.example", reference: "A-1" };
    const first = await agent.ask("invite", invitation);
    expect(first, JSON.stringify(first)).to.deep.equal({
      ok: true,
      ticketId: first.ticketId,
      nickname: "jane@customer.example",
    });
    expect(await agent.ask("invite", invitation)).to.deep.equal(first);
    const [ticket] = await database.db("tickets").where({ id: first.ticketId });
    expect(ticket).to.deep.include({ state: "invited", agent_id: fixture.tenant.members.agent.id });
    const wrong = await agent.ask("invite", { ...aMessage("x"), email: "nobody" });
    expect(wrong.error.kind, JSON.stringify(wrong)).to.equal("invalid_parameter");
    const none = await agent.ask("invite", aMessage("x"));
    expect(none.error.kind).to.equal("missing_parameter");
  });
});
