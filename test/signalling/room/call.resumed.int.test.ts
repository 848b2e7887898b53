/** Calls of pages whose connection is back. */
import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { anAgreedRoom } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { connectGuest, hear, hearJoined, joinCall } from "../../support/signalling.ts";

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
