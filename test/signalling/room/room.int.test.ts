import { expect } from "chai";
import { initialPeerState, type RoomPeer } from "../../../src/contracts/room-messages.ts";
import type { RoomMessage } from "../../../src/contracts/signalling.ts";
import { eventually } from "../../support/eventually.ts";
import { aTicketRoom, issueToken } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { aMessage, connectGuest, hear, refusalOf } from "../../support/signalling.ts";

describe("the sockets of a room", () => {
  const fixture = useSignalling();
  const { database } = fixture;

  const both = () => aTicketRoom(database.db, fixture.tenant);

  it("announce present participants to a new one, and the new one to them", async () => {
    const { customer, agent } = await both();
    const first = await connectGuest(fixture.node, customer);
    const alone = await first.ask("hello");
    expect(alone).to.deep.equal({
      ok: true,
      self: {
        id: alone.self.id,
        role: "requestor",
        name: fixture.tenant.mark,
        participant: "requestor",
        isInCall: false,
        state: initialPeerState,
      },
      peers: [],
      messages: [],
      isLocked: false,
    });
    const second = await connectGuest(fixture.node, agent);
    const met = await second.ask("hello");
    expect(met.peers).to.deep.equal([alone.self]);
    expect(await hear(first, "peer-joined")).to.deep.equal(met.self);
    expect((await first.ask("peers")).peers).to.deep.equal([met.self]);
    second.close();
    expect(await hear(first, "peer-left")).to.deep.equal(met.self);
    expect((await first.ask("peers")).peers).to.deep.equal([]);
    expect(second.of("peer-joined"), "no peer is announced to itself").to.deep.equal([]);
  });

  it("reserve the slot of a lost connection for a while, for the same person only", async () => {
    const { customer, agent } = await both();
    const connected = await connectGuest(fixture.node, agent);
    await connected.ask("hello");
    const first = await connectGuest(fixture.node, customer);
    const { self } = await first.ask("hello");
    await hear<RoomPeer>(connected, "peer-joined", ({ id }) => id === self.id);
    const other = await both();
    const thief = await connectGuest(fixture.node, other.customer);
    first.socket.io.engine.close();
    expect((await thief.ask("hello", { resume: self.id })).self.id).not.to.equal(self.id);
    const back = await connectGuest(fixture.node, customer);
    expect((await back.ask("hello", { resume: self.id })).self).to.deep.equal(self);
    expect(connected.of("peer-left")).to.deep.equal([]);
    back.socket.io.engine.close();
    await hear<RoomPeer>(connected, "peer-left", ({ id }) => id === self.id);
    const late = await connectGuest(fixture.node, customer);
    expect((await late.ask("hello", { resume: self.id })).self.id).not.to.equal(self.id);
  });

  it("keep the peer of a page whose connection is lost during a repeated hello", async () => {
    const { customer } = await both();
    const client = await connectGuest(fixture.node, customer);
    const { self } = await client.ask("hello");
    const handled = async (): Promise<number> => {
      const lines = (await fixture.node.metrics()).split("\n");
      return lines
        .filter((line) => /^signalling_messages_total\{.*type="hello"/u.test(line))
        .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    };
    const before = await handled();
    client.socket.emit("hello", { after: 1 }, () => undefined);
    client.socket.io.engine.close();
    await eventually(async () => (await handled()) > before);
    const back = await connectGuest(fixture.node, customer);
    expect((await back.ask("hello", { resume: self.id })).self).to.deep.equal(self);
  });

  it("carry the chat, including messages sent by REST, each once", async () => {
    const { customer, agent } = await both();
    const [one, two] = [
      await connectGuest(fixture.node, customer),
      await connectGuest(fixture.node, agent),
    ];
    await one.ask("hello");
    await two.ask("hello");
    const written = aMessage("Hello");
    const { message } = await one.ask("chat", written);
    expect(message).to.deep.equal({
      id: message.id,
      author: "guest",
      participant: "requestor",
      name: fixture.tenant.mark,
      text: "Hello",
      created: message.created,
      clientId: written.clientId,
    });
    expect(await hear(two, "chat")).to.deep.equal(message);
    expect((await one.ask("chat", written)).message).to.deep.equal(message);
    await fetch(`${fixture.node.url}/api/guest/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${agent}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "Good day" }),
    });
    await hear<RoomMessage>(one, "chat", ({ text }) => text === "Good day");
    const { messages } = await one.ask("hello");
    expect(messages.map(({ text }: RoomMessage) => text)).to.deep.equal(["Hello", "Good day"]);
    const staff = messages.map(({ participant }: RoomMessage) => participant);
    expect(staff).to.deep.equal(["requestor", `agent:${fixture.tenant.members.agent.id}`]);
    const since = await two.ask("hello", { after: message.id });
    expect(since.messages.map(({ text }: RoomMessage) => text)).to.deep.equal(["Good day"]);
    expect(two.of<RoomMessage>("chat").map(({ text }) => text)).to.deep.equal([
      "Hello",
      "Good day",
    ]);
  });

  it("reject ended rooms, other origins and wrong tokens", async () => {
    const { guest, customer } = await both();
    const refused = (token: unknown, origin?: string) =>
      refusalOf(fixture.node.url, "/rtc", {
        auth: { token },
        ...(origin === undefined ? {} : { origin }),
      });
    expect(await refused("x")).to.equal("bad_token");
    expect(await refused(undefined)).to.equal("bad_token");
    expect(await refused(fixture.tenant.members.admin.token)).to.equal("bad_token");
    expect(await refused(customer, "https://evil.example")).to.equal("forbidden");
    await connectGuest(fixture.node, customer, { origin: "https://sightline.example" });
    await connectGuest(fixture.node, customer, { origin: fixture.node.url });
    await database.db("tickets").where({ id: guest.ticketId }).update({ deleted_at: new Date() });
    expect(await refused(customer)).to.equal("gone");
  });

  it("reject messages before the hello", async () => {
    const { customer } = await both();
    const client = await connectGuest(fixture.node, customer);
    expect((await client.ask("chat", aMessage("x"))).error.kind).to.equal("conflict");
  });

  it("close with the room, and say so; it cannot be joined again", async () => {
    const { guest, customer } = await both();
    const other = await both();
    const [client, elsewhere] = [
      await connectGuest(fixture.node, customer),
      await connectGuest(fixture.node, other.customer),
    ];
    await client.ask("hello");
    await client.ask("chat", aMessage("My number is 4711"));
    await database.db("tickets").where({ id: guest.ticketId }).update({ state: "closed" });
    await eventually(() => !client.socket.connected);
    expect(client.of("over")).to.deep.equal([{ reason: "room" }]);
    const refused = await refusalOf(fixture.node.url, "/rtc", { auth: { token: customer } });
    expect(refused).to.equal("gone");
    expect((await elsewhere.ask("hello")).ok, "other rooms continue").to.equal(true);
  });

  it("close when the token is no longer valid", async () => {
    const { guest } = await both();
    const short = await issueToken(guest, { ttlSeconds: 4 });
    const client = await connectGuest(fixture.node, short);
    await client.ask("hello");
    await eventually(() => !client.socket.connected, { timeoutMs: 10_000 });
    expect(client.of("over")).to.deep.equal([{ reason: "token" }]);
  });
});
