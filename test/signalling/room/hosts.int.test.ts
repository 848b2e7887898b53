import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { Guest, RoomRole } from "../../../src/http/route.ts";
import { inTransaction } from "../../../src/platform/db/transaction.ts";
import { insertDenial } from "../../../src/rooms/admissions.ts";
import type { RoomPeer } from "../../../src/contracts/room-messages.ts";
import { eventually } from "../../support/eventually.ts";
import { aTenantRoom, issueVisitorToken } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import {
  aMessage,
  connectGuest,
  enterRoom,
  hear,
  hearJoined,
  joinCall,
} from "../../support/signalling.ts";

type InCall = Awaited<ReturnType<typeof joinCall>>;

describe("the hosts of a meeting", () => {
  const fixture = useSignalling({ nodes: 2 });
  const { database } = fixture;

  /** A moderated meeting with its organizer and a waiting guest. */
  const aMeeting = async () => {
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "organizer");
    const as = (role: RoomRole, name: string) => issueVisitorToken(guest, { role, name });
    return { guest, organizer: token, as };
  };

  it("send a waiting guest nothing before admission, and then a token", async () => {
    const { organizer, as } = await aMeeting();
    const host = await joinCall(fixture.node, organizer);
    const waiting = await connectGuest(fixture.at(1), await as("waiting", "Nia"));
    const frames: string[] = [];
    waiting.socket.io.engine.on("data", (frame) => frames.push(String(frame)));
    const answered: string[] = [];
    for (const type of ["hello", "peers", "chat", "join", "signal", "waiting"]) {
      waiting.socket.emit(type, {}, () => answered.push(type));
    }
    expect(await waiting.ask("knock")).to.deep.equal({ ok: true, status: "waiting" });
    const { people } = await hear<{ people: { name: string; participant: string }[] }>(
      host,
      "waiting",
      (list) => list.people.length > 0,
    );
    expect(people.map(({ name }) => name)).to.deep.equal(["Nia"]);
    await talk(host, await joinCall(fixture.at(1), await as("participant", "Ann")));
    const before = ['3/rtc,6[{"ok":true,"status":"waiting"}]'];
    expect(frames, "what arrived while the others talked").to.deep.equal(before);
    await host.ask("admit", { participants: [people[0]?.participant] });
    const { status, token } = await hear<{ status: string; token: string }>(waiting, "admission");
    expect(status).to.equal("admitted");
    const inside = await joinCall(fixture.at(1), token);
    expect(inside.self).to.deep.include({ role: "participant", name: "Nia" });
    expect(inside.joined.ok).to.equal(true);
    expect(waiting.heard.map(({ type }) => type)).to.deep.equal(["admission"]);
    expect(frames.join("\n")).to.not.match(/Ann|Good morning|candidate/u);
    expect(frames.join("\n")).to.not.include(fixture.tenant.mark);
    expect(answered, "long after what was asked later").to.deep.equal([]);
  });

  /**
   * Both participants write, report their state and negotiate, until each has received the other's
   * messages.
   */
  const talk = async (host: InCall, guest: InCall): Promise<void> => {
    await hearJoined(host, guest);
    for (const [from, to] of [
      [host, guest],
      [guest, host],
    ] as const) {
      const candidate = { candidate: "candidate:1", sdpMid: "0", sdpMLineIndex: 0 };
      const signal = { to: to.self.id, candidate: { ...candidate, usernameFragment: null } };
      expect((await from.ask("chat", aMessage(`Good morning, ${to.self.name}`))).ok).to.equal(true);
      expect((await from.ask("state", { isMicOn: true })).ok).to.equal(true);
      expect((await from.ask("signal", signal)).ok).to.equal(true);
      await hear<{ text: string }>(to, "chat", ({ text }) => text.endsWith(to.self.name));
      await hear<RoomPeer>(to, "peer-changed", ({ state }) => state.isMicOn);
      await hear(to, "signal");
    }
  };

  it("notify a refused guest, who cannot join", async () => {
    const { organizer, as } = await aMeeting();
    const host = await joinCall(fixture.node, organizer);
    const token = await as("waiting", "Nia");
    const waiting = await connectGuest(fixture.node, token);
    await waiting.ask("knock");
    const { people } = await host.ask("waiting");
    await host.ask("deny", { participants: [people[0].participant] });
    expect(await hear(waiting, "admission")).to.deep.equal({ status: "denied" });
  });

  it("remove a participant, who cannot return, and lock the room", async () => {
    const { organizer, as } = await aMeeting();
    const host = await joinCall(fixture.node, organizer);
    const guest = await joinCall(fixture.at(1), await as("participant", "Nia"));
    const other = await enterRoom(fixture.at(1), await as("participant", "Ann"));
    await hearJoined(host, guest);
    const { participant } = guest.self;
    expect((await guest.ask("remove", { participant })).error.kind).to.equal("forbidden");
    expect((await host.ask("remove", { participant })).ok).to.equal(true);
    expect(await hear(guest, "left")).to.deep.equal({ reason: "removed" });
    expect(await hear(guest, "over")).to.deep.equal({ reason: "removed" });
    await eventually(() => !guest.socket.connected);
    expect((await host.ask("lock", { isLocked: true })).ok).to.equal(true);
    expect(await hear(other, "lock")).to.deep.equal({ isLocked: true });
    const late = await joinCall(fixture.node, await as("participant", "Late"));
    expect(late.joined.error.reason).to.equal("locked");
  });

  /** Writes what `remove` stores, without the following wake-up. */
  const storeRemoval = (room: Guest, participant: string) =>
    inTransaction(database.db, (trx) => insertDenial(trx, { ...room, participant }, new Date()));

  it("notify a removed guest, even if the token check precedes the wake-up", async () => {
    const { guest: room, as } = await aMeeting();
    const guest = await joinCall(fixture.node, await as("participant", "Nia"));
    const other = await joinCall(fixture.at(1), await as("participant", "Ann"));
    await storeRemoval(room, guest.self.participant);
    expect(await hear(guest, "over")).to.deep.equal({ reason: "removed" });
    await eventually(() => !guest.socket.connected);
    expect(other.socket.connected).to.equal(true);
  });

  it("end the chat of a removed guest, in the call or not, by socket and by REST", async () => {
    const { organizer, as } = await aMeeting();
    const host = await joinCall(fixture.node, organizer);
    const token = await as("participant", "Nia");
    const outside = await connectGuest(fixture.at(1), token);
    const { self } = await outside.ask("hello");
    const write = () =>
      fetch(`${fixture.node.url}/api/guest/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ text: "Hello" }),
      });
    expect((await write()).status).to.equal(201);
    expect((await host.ask("remove", { participant: self.participant })).ok).to.equal(true);
    expect(await hear(outside, "over")).to.deep.equal({ reason: "removed" });
    expect((await write()).status).to.equal(401);
    const again = await connectGuest(fixture.node, token).catch((error: Error) => error.message);
    expect(again).to.equal("bad_token");
  });

  it("end the call of an admitted guest who is refused afterwards", async () => {
    const { organizer, as } = await aMeeting();
    const host = await joinCall(fixture.node, organizer);
    const waiting = await connectGuest(fixture.node, await as("waiting", "Nia"));
    await waiting.ask("knock");
    const { people } = await host.ask("waiting");
    const participants = [people[0].participant];
    await host.ask("admit", { participants });
    const { token } = await hear<{ token: string }>(waiting, "admission");
    const inside = await joinCall(fixture.at(1), token);
    await hearJoined(host, inside);
    await host.ask("deny", { participants });
    expect(await hear(inside, "over")).to.deep.equal({ reason: "removed" });
  });

  it("mute participants on request; nobody else can", async () => {
    const { organizer, as } = await aMeeting();
    const host = await joinCall(fixture.node, organizer);
    const guest = await joinCall(fixture.node, await as("participant", "Nia"));
    const command = { name: "mute" };
    const mute = { to: guest.self.id, id: randomUUID(), command };
    expect((await host.ask("command", mute)).ok).to.equal(true);
    expect(await hear(guest, "command")).to.deep.include({ command });
    const back = { to: host.self.id, id: randomUUID(), command };
    expect((await guest.ask("command", back)).error.kind).to.equal("forbidden");
    expect((await guest.ask("pointer", { point: null })).error.kind).to.equal("forbidden");
  });
});
