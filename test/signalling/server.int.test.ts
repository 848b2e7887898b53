import { expect } from "chai";
import type { RoomPeer } from "../../src/contracts/room-messages.ts";
import type { BoxMessage, PresenceChange } from "../../src/contracts/signalling.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { eventually } from "../support/eventually.ts";
import { aTenantRoom } from "../support/tenant-rooms.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { useSignalling } from "../support/signalling-fixture.ts";
import {
  aMessage,
  connectAgent,
  connectGuest,
  hear,
  signallingEnvironment,
  type TestClient,
} from "../support/signalling.ts";
import { promised } from "../support/promised.ts";

function messageOf(text: string) {
  return (message: { text: string }) => message.text === text;
}

describe("sockets over many processes", () => {
  const processes = useProcesses();
  const fixture = useSignalling({ nodes: 2 });
  const { database, at } = fixture;
  const kill = async (name: string): Promise<void> => {
    await rowsOf(
      database.db,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = ? AND application_name = ?`,
      [database.name, name],
    );
  };

  const startProcess = async (): Promise<{ process: Process; url: string }> => {
    const process = processes.start({
      name: "web",
      file: "test/support/signalling-process.ts",
      env: { ...signallingEnvironment(database.url), METRICS_PORT: "0" },
    });
    const port = await eventually(
      () => {
        const found = /listens on (\d+)/u.exec(process.output())?.[1];
        if (found === undefined) {
          throw new Error(process.output());
        }
        return found;
      },
      { timeoutMs: 20_000 },
    );
    return { process, url: `http://127.0.0.1:${port}` };
  };

  it("carry a message between people on two of them, whichever accepted it", async () => {
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const agent = await connectAgent(at(0), fixture.tenant, fixture.tenant.members.agent);
    const customer = await connectGuest(at(1), token);
    await customer.ask("hello");
    const box = { kind: "ticket", destId: guest.ticketId };
    await agent.ask("send", { ...box, ...aMessage("from the agent") });
    await hear(customer, "chat", messageOf("from the agent"));
    await customer.ask("chat", aMessage("from the customer"));
    await hear(agent, "message", messageOf("from the customer"));
    const { token: agentToken } = fixture.tenant.members.agent;
    const posted = await fetch(`${at(1).url}/api/conversations/${guest.conversationId}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${agentToken}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "by REST" }),
    });
    expect(posted.status).to.equal(201);
    await hear(customer, "chat", messageOf("by REST"));
    await hear(agent, "message", messageOf("by REST"));
    const texts = ["from the agent", "from the customer", "by REST"];
    expect(agent.of<BoxMessage>("message").map(({ text }) => text)).to.deep.equal(texts);
    expect(customer.of<BoxMessage>("chat").map(({ text }) => text)).to.deep.equal(texts);
  });

  it("share presence", async () => {
    const admin = await connectAgent(at(0), fixture.tenant, fixture.tenant.members.admin);
    await admin.ask("hello");
    const colleague = await connectAgent(at(1), fixture.tenant, fixture.tenant.colleague);
    await hear<PresenceChange>(admin, "presence", ({ state }) => state === "online");
    colleague.close();
    await hear<PresenceChange>(admin, "presence", ({ state }) => state === "offline");
  });

  it("emit a message of a process that crashed after its commit", async () => {
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const agent = await connectAgent(at(0), fixture.tenant, fixture.tenant.members.agent);
    const customer = await connectGuest(at(1), token);
    await customer.ask("hello");
    await agent.ask("hello");
    await eventually(async () => {
      // No wake-up is published for this row: only the poll can find it.
      await database.db("chat_messages").insert({
        enterprise_id: fixture.tenant.id,
        conversation_id: guest.conversationId,
        author: "guest",
        name: "Jane",
        text: "unheard of",
      });
      return true;
    });
    await hear(agent, "message", messageOf("unheard of"));
    await hear(customer, "chat", messageOf("unheard of"));
  });

  it("continue when the listening connections are lost", async () => {
    const { guest } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const agent = await connectAgent(at(0), fixture.tenant, fixture.tenant.members.agent);
    const box = { kind: "ticket", destId: guest.ticketId };
    await agent.ask("open", box);
    await kill("sightline listener");
    await agent.ask("send", { ...box, ...aMessage("meanwhile") });
    await hear(agent, "message", messageOf("meanwhile"));
    await kill("sightline pool");
    await eventually(async () => (await agent.ask("send", { ...box, ...aMessage("after") })).ok);
    await hear(agent, "message", messageOf("after"));
  });

  it("lose no message over a lost connection: the client requests what it missed", async () => {
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const customer = await connectGuest(at(0), token, { reconnection: true });
    const before = await customer.ask("hello");
    const first = (await customer.ask("chat", aMessage("one"))).message;
    const agent = await connectAgent(at(1), fixture.tenant, fixture.tenant.members.agent);
    customer.socket.io.engine.close();
    await agent.ask("send", {
      kind: "ticket",
      destId: guest.ticketId,
      ...aMessage("while you were away"),
    });
    await eventually(() => customer.socket.connected);
    const back = await customer.ask("hello", { resume: before.self.id, after: first.id });
    expect(back.self).to.deep.equal(before.self);
    expect(back.messages.map(({ text }: BoxMessage) => text)).to.deep.equal([
      "while you were away",
    ]);
  });

  it("detect a killed process: those who do not reconnect are offline", async function () {
    this.timeout(40_000);
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const { process, url } = await startProcess();
    const other = await aTenantRoom(database.db, fixture.tenant, "agent", { ticket: {} });
    expect(other.guest.conversationId).not.to.equal(guest.conversationId);
    const connected = await connectGuest(at(0), token);
    await connected.ask("hello");
    const lost = await connectGuest({ url }, token);
    const { self } = await lost.ask("hello");
    await hear<RoomPeer>(connected, "peer-joined", ({ id }) => id === self.id);
    const admin = await connectAgent(at(1), fixture.tenant, fixture.tenant.members.admin);
    await admin.ask("hello");
    await connectAgent({ url }, fixture.tenant, fixture.tenant.colleague);
    await hear<PresenceChange>(admin, "presence", ({ state }) => state === "online");
    await process.kill();
    await hear<RoomPeer>(connected, "peer-left", ({ id }) => id === self.id);
    await hear<PresenceChange>(admin, "presence", ({ state }) => state === "offline");
  });

  it("hand clients over to another process on a stop, without a visible departure", async function () {
    this.timeout(40_000);
    const { token } = await aTenantRoom(database.db, fixture.tenant, "requestor");
    const { process, url } = await startProcess();
    const staying = await connectGuest(at(0), token);
    await staying.ask("hello");
    const moves = await connectGuest({ url }, token);
    const { self } = await moves.ask("hello");
    await hear<RoomPeer>(staying, "peer-joined", ({ id }) => id === self.id);
    const before = Date.now();
    const stopping = process.stop();
    await eventually(() => !moves.socket.connected);
    const again: TestClient = await connectGuest(at(1), token);
    const back = await again.ask("hello", { resume: self.id });
    expect(back.self).to.deep.equal(self);
    expect((await stopping).code).to.equal(0);
    expect(Date.now() - before, "an orderly stop does not wait for sockets").to.be.lessThan(
      promised(5_000),
    );
    const later = await connectGuest(at(1), token);
    await later.ask("hello");
    await hear<RoomPeer>(staying, "peer-joined", ({ id }) => id !== self.id);
    expect(staying.of<RoomPeer>("peer-left")).to.deep.equal([]);
  });
});
