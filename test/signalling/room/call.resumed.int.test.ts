/** Calls of pages whose connection is back. */
import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { anAgreedRoom } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { connectGuest, enterRoom, hear, hearJoined, joinCall } from "../../support/signalling.ts";

describe("a call with a page that lost its connection", () => {
  const fixture = useSignalling({ nodes: 2 });
  const { database } = fixture;

  const aRoom = () => anAgreedRoom(database.db, fixture.tenant);

  it("continues for a page that resumes, and ends when the agent ends it", async () => {
    const { guest, customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.at(1), agent),
    ];
    await hearJoined(one, two);
    one.socket.io.engine.close();
    const back = await connectGuest(fixture.at(1), customer);
    const { self } = await back.ask("hello", { resume: one.self.id });
    expect(self).to.deep.include({ id: one.self.id, isInCall: true });
    const again = await back.ask("join");
    expect(again.sessionId).to.equal(one.joined.sessionId);
    expect(two.of("peer-left")).to.deep.equal([]);
    expect((await two.ask("end")).ok).to.equal(true);
    expect(await hear(back, "left")).to.deep.equal({ reason: "ended" });
    const [session] = await database
      .db("sessions")
      .where({ conversation_id: guest.conversationId });
    expect(session.end_reason).to.equal("ended");
  });

  /** When the lease of a page was renewed last. */
  const seenAt = async (id: string): Promise<Date> => {
    const [row] = await database.db("room_peers").where({ id }).select("seen_at");
    return row.seen_at;
  };

  it("keeps only the newer connection of a page whose old one is not closed", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    await hearJoined(one, two);
    const back = await connectGuest(fixture.node, customer);
    await back.ask("hello", { resume: one.self.id });
    await eventually(() => !one.socket.connected);
    expect((await back.ask("join")).sessionId).to.equal(one.joined.sessionId);
    const resumedAt = new Date();
    for (const id of [one.self.id, two.self.id]) {
      await eventually(async () => (await seenAt(id)) > resumedAt);
    }
    expect(two.of("peer-left")).to.deep.equal([]);
    expect(back.of("left")).to.deep.equal([]);
    expect((await back.ask("established")).ok, "it is in the call").to.equal(true);
  });

  it("sends to the connection on another process, and not to the old one", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    await hearJoined(one, two);
    const back = await connectGuest(fixture.at(1), customer);
    await back.ask("hello", { resume: one.self.id });
    await eventually(() => !one.socket.connected);
    await back.ask("join");
    const [id, mediaId] = [randomUUID(), 7];
    await two.ask("command", { to: one.self.id, id, command: { name: "snapshot" } });
    await two.ask("shared", { mediaId });
    expect(await hear(back, "command")).to.deep.include({ from: two.self.id, id });
    expect(await hear(back, "shared")).to.deep.equal({ from: two.self.id, mediaId });
    expect([two.of("peer-left"), one.of("left"), one.of("over")]).to.deep.equal([[], [], []]);
  });

  it("keeps the newest connection if the others hear late of an earlier one", async () => {
    const { customer, agent } = await aRoom();
    const first = await enterRoom(fixture.node, customer);
    const marker = await enterRoom(fixture.node, agent);
    const resume = async (index: number, token: string, id: string) => {
      const client = await connectGuest(fixture.at(index), token);
      await client.ask("hello", { resume: id });
      return client;
    };
    const second = await resume(1, customer, first.self.id);
    await eventually(() => !first.socket.connected);
    const secondAt = Date.now() * 1_000;
    const third = await resume(0, customer, first.self.id);
    await eventually(() => !second.socket.connected);
    const late = `resumed:${first.self.id}:${secondAt}`;
    await database.db.raw("SELECT pg_notify('sightline_signalling', ?)", [late]);
    await resume(1, agent, marker.self.id);
    await eventually(() => !marker.socket.connected); // the first process heard both, in this order
    expect((await third.ask("peers")).ok).to.equal(true);
  });

  it("handles what a returning page sends at once after its `join` is answered", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    await hearJoined(one, two);
    two.socket.io.engine.close();
    const back = await connectGuest(fixture.node, agent);
    await back.ask("hello", { resume: two.self.id });
    const id = randomUUID();
    const command = { name: "snapshot" };
    const [join, sent, left] = await Promise.all([
      back.ask("join"),
      back.ask("command", { to: one.self.id, id, command }),
      back.ask("leave"),
    ]);
    expect([join.ok, sent.ok, left.ok]).to.deep.equal([true, true, true]);
    expect(await hear(one, "command")).to.deep.equal({ from: two.self.id, id, command });
    expect((await back.ask("established")).error.kind, "it left").to.equal("conflict");
  });
});
