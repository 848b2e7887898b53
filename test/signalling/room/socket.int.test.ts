import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { insertDenial } from "../../../src/rooms/admissions.ts";
import { eventually } from "../../support/eventually.ts";
import { aTenantRoom, issueToken } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import {
  aMessage,
  connectGuest,
  hear,
  refusalOf,
  type TestClient,
} from "../../support/signalling.ts";

function kindsOf(acks: readonly { error?: { kind: string } }[]) {
  return acks.map(({ error }) => error?.kind ?? "ok");
}
function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, make));
}

describe("the limits of a room socket", () => {
  // Disables the periodic token check, so that each call must enforce the refusal itself.
  const fixture = useSignalling({ times: { tokensMs: 60_000, helloMs: 1_500 } });
  const { database } = fixture;
  const aCustomer = () => aTenantRoom(database.db, fixture.tenant, "requestor");
  const connected = (clients: readonly TestClient[]): number =>
    clients.filter(({ socket }) => socket.connected).length;

  it("count sockets without a hello, including concurrent ones", async () => {
    const { token } = await aCustomer();
    const neighbour = await aCustomer();
    const settled = await Promise.allSettled(
      Array.from({ length: 45 }, () => connectGuest(fixture.node, token)),
    );
    const clients = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    await eventually(() => connected(clients) <= 20);
    const refused = await refusalOf(fixture.node.url, "/rtc", { auth: { token } });
    expect(connected(clients)).to.be.lessThan(21);
    expect(refused).to.equal("quota_reached");
    await connectGuest(fixture.node, neighbour.token);
  });

  it("disconnect a socket without a hello in time, and no other", async () => {
    const [silent, polite] = [await aCustomer(), await aCustomer()];
    const idle = await connectGuest(fixture.node, silent.token);
    const talks = await connectGuest(fixture.node, polite.token);
    await talks.ask("hello");
    const reasons: string[] = [];
    idle.socket.on("disconnect", (reason) => reasons.push(reason));
    await eventually(() => reasons.length > 0);
    expect(reasons, "a page of ours comes back by itself").to.deep.equal(["transport close"]);
    expect((await talks.ask("peers")).ok).to.equal(true);
  });

  it("disconnect a socket whose token is no longer valid", async () => {
    const { token } = await aCustomer();
    const client = await connectGuest(fixture.node, token);
    await client.ask("hello");
    // A raw disconnect packet: the client's own `disconnect()` would also close the connection.
    client.socket.io.engine.write("1/rtc,");
    await eventually(() => !client.socket.connected);
  });

  it("notify a removed guest whose request precedes the wake-up", async () => {
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "participant");
    const client = await connectGuest(fixture.node, token);
    await client.ask("hello");
    await inTransaction(database.db, (trx) => insertDenial(trx, guest, new Date()));
    expect((await client.ask("chat", aMessage("Hello"))).error.kind).to.equal("bad_token");
    expect(await hear(client, "over")).to.deep.equal({ reason: "removed" });
  });

  it("keep one peer for a socket that says hello twice", async () => {
    const { guest, token } = await aCustomer();
    const client = await connectGuest(fixture.node, token);
    const hellos = await times(3, () => client.ask("hello"));
    expect(new Set(hellos.map(({ self }) => self.id)).size).to.equal(1);
    const peers = await database.db("room_peers").where({ conversation_id: guest.conversationId });
    expect(peers).to.have.length(1);
  });

  it("resend a stored message after the end of the room", async () => {
    const { guest, token } = await aCustomer();
    const client = await connectGuest(fixture.node, token);
    await client.ask("hello");
    const written = aMessage("just in time");
    const { message } = await client.ask("chat", written);
    await database.db("tickets").where({ id: guest.ticketId }).update({ state: "closed" });
    expect((await client.ask("chat", written)).message).to.deep.equal(message);
    expect((await client.ask("chat", aMessage("too late"))).error.kind).to.equal("gone");
  });

  it("reject messages to an ended room", async () => {
    const { guest, token } = await aCustomer();
    const client = await connectGuest(fixture.node, token);
    await client.ask("hello");
    await database.db("tickets").where({ id: guest.ticketId }).update({ state: "closed" });
    expect((await client.ask("chat", aMessage("x"))).error.kind).to.equal("gone");
    const again = await client.ask("hello");
    expect(kindsOf([again])).to.deep.equal(["gone"]);
  });

  it("reject messages of an agent whose ticket was transferred", async () => {
    const { guest } = await aCustomer();
    const { id } = fixture.tenant.members.agent;
    const agent = { ...guest, role: "agent", participant: `user-${id}`, userId: id } as const;
    const token = await issueToken({ ...agent, visit: randomUUID() });
    for (const [type, input] of [
      ["chat", aMessage("still me")],
      ["peers", {}],
      ["hello", {}],
    ] as const) {
      const ticket = database.db("tickets").where({ id: guest.ticketId });
      await ticket.update({ agent_id: id });
      const client = await connectGuest(fixture.node, token);
      await client.ask("hello");
      await ticket.update({ agent_id: fixture.tenant.stranger.id });
      const ack = await client.ask(type, input);
      expect(kindsOf([ack]), type).to.deep.equal(["bad_token"]);
      await eventually(() => !client.socket.connected);
      expect(client.of("over")).to.deep.equal([{ reason: "token" }]);
    }
  });
});

describe("the rate limit of a person's room sockets", () => {
  const fixture = useSignalling();
  const aCustomer = () => aTenantRoom(fixture.database.db, fixture.tenant, "requestor");

  it("is shared by all sockets and REST calls of the person, and with no other person", async () => {
    const { token } = await aCustomer();
    const neighbour = await aCustomer();
    const other = await connectGuest(fixture.node, neighbour.token);
    const clients = await times(12, () => connectGuest(fixture.node, token));
    const acks = await Promise.all(clients.map((client) => times(58, () => client.ask("peers"))));
    const kinds = kindsOf(acks.flat());
    const limited = kinds.filter((kind) => kind === "rate_limited").length;
    expect(limited, "600 a minute, of which 12 were sockets").to.be.within(12 * 58 - 588, 12 * 59);
    // Retries, because the rate limiter fails open when its shared store times out.
    await eventually(async () => (await fixture.rest(token, "GET /guest/messages")) === 429);
    expect((await other.ask("hello")).ok).to.equal(true);
    expect(await refusalOf(fixture.node.url, "/rtc", { auth: { token } })).to.equal("rate_limited");
  });
});
