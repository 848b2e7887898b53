import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { initialPeerState } from "../../../src/contracts/room-messages.ts";
import { eventually } from "../../support/eventually.ts";
import { anAgreedRoom, aTicketRoom } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import {
  enterRoom,
  hear,
  hearJoined,
  joinCall,
  type TestClient,
} from "../../support/signalling.ts";

function offer(to: string) {
  return {
    to,
    description: { type: "offer", sdp: "v=0" },
    streams: { camera: "c1", screen: null },
  };
}

describe("a call over the sockets of a room", () => {
  const fixture = useSignalling({ nodes: 2 });
  const { database } = fixture;

  /** A room whose customer has consented. */
  const aRoom = () => anAgreedRoom(database.db, fixture.tenant);

  it("connects both sides in one session, on two processes", async () => {
    const { guest, customer, agent } = await aRoom();
    const one = await joinCall(fixture.node, customer);
    expect(one.joined).to.deep.include({
      ok: true,
      ice: { servers: [], policy: "all", expiresInSeconds: null },
      route: { kind: "mesh" },
      peers: [],
    });
    const two = await joinCall(fixture.at(1), agent);
    expect(two.joined.sessionId).to.equal(one.joined.sessionId);
    expect(two.joined.peers).to.deep.equal([{ ...one.self, isInCall: true }]);
    await hearJoined(one, two);
    await one.ask("established");
    const [session] = await database
      .db("sessions")
      .where({ conversation_id: guest.conversationId });
    expect(session.established_at).not.to.equal(null);
  });

  it("relays signals between pages on two processes, in order, to the recipient only", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.at(1), agent),
    ];
    const stranger = await joinCall(fixture.at(1), (await aRoom()).customer);
    await hearJoined(one, two);
    expect(await one.ask("signal", offer(two.self.id))).to.deep.equal({ ok: true });
    for (const number of [1, 2, 3]) {
      const candidate = {
        candidate: `candidate:${number}`,
        sdpMid: "0",
        sdpMLineIndex: 0,
        usernameFragment: null,
      };
      expect((await one.ask("signal", { to: two.self.id, candidate })).ok).to.equal(true);
    }
    await eventually(() => two.of("signal").length === 4);
    const got = two.of<{ from: string; candidate?: { candidate: string } }>("signal");
    expect(got.map(({ from }) => from)).to.deep.equal(Array(4).fill(one.self.id));
    expect(got.map(({ candidate }) => candidate?.candidate)).to.deep.equal([
      ...[undefined, "candidate:1", "candidate:2", "candidate:3"],
    ]);
    expect(stranger.of("signal")).to.deep.equal([]);
    expect((await stranger.ask("signal", offer(two.self.id))).error.kind).to.equal("not_found");
  });

  it("relays the agent's pointer, on the same process and on another", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.at(1), agent),
    ];
    await hearJoined(one, two);
    const stranger = await joinCall(fixture.node, (await aRoom()).customer);
    for (const point of [{ x: 0.25, y: 0.5 }, { x: 0.3, y: 0.5 }, null]) {
      expect((await two.ask("pointer", { point })).ok).to.equal(true);
    }
    await eventually(() => one.of("pointer").length === 3);
    expect(one.of("pointer")).to.deep.equal([
      { from: two.self.id, point: { x: 0.25, y: 0.5 } },
      { from: two.self.id, point: { x: 0.3, y: 0.5 } },
      { from: two.self.id, point: null },
    ]);
    expect(two.of("pointer"), "the sender").to.deep.equal([]);
    expect(stranger.of("pointer")).to.deep.equal([]);
  });

  it("rejects a customer without consent, and says why", async () => {
    const { customer } = await aTicketRoom(database.db, fixture.tenant);
    const one = await joinCall(fixture.node, customer);
    expect(one.joined).to.deep.equal({
      ok: false,
      error: {
        kind: "forbidden",
        detail: "The customer has not agreed to the terms.",
        reason: "consent",
      },
    });
    expect((await one.ask("established")).error.kind).to.equal("conflict");
  });

  it("keeps reported states for later participants", async () => {
    const { customer, agent } = await aRoom();
    const one = await joinCall(fixture.node, customer);
    const camera = { facing: "environment", canSwitch: true, isTorchOn: false, zoom: null };
    await one.ask("state", { isMicOn: true, quality: "poor", camera, isRecording: true });
    const two = await enterRoom(fixture.at(1), agent);
    const { peers } = await two.ask("peers");
    expect(peers).to.deep.equal([
      {
        ...one.self,
        isInCall: true,
        state: { ...initialPeerState, isMicOn: true, quality: "poor", camera },
      },
    ]);
  });

  it("stores the duration of each reported quality, while at least two are in the call", async () => {
    const { customer, agent, guest } = await aRoom();
    const one = await joinCall(fixture.node, customer);
    await one.ask("state", { quality: "poor" });
    const timesOf = (participant: string) =>
      database
        .db("participations")
        .where({ participant, enterprise_id: guest.enterpriseId })
        .orderBy("id");
    const seenAt = async () => (await timesOf(guest.participant)).at(-1).last_seen_at as Date;
    const first = await seenAt();
    await eventually(async () => (await seenAt()) > first);
    expect((await timesOf(guest.participant)).at(-1)).to.deep.include({ poor_ms: null });
    const two = await joinCall(fixture.at(1), agent);
    await eventually(async () => (await timesOf(guest.participant)).at(-1).poor_ms > 300);
    const other = (await timesOf(two.self.participant)).at(-1);
    expect(other).to.deep.include({ poor_ms: null, fair_ms: null });
    expect(other.good_ms).to.be.greaterThan(0);
  });

  it("lets the agent send commands to the customer's page, and nobody to the agent's", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    const id = randomUUID();
    const command = { name: "torch", isOn: true };
    expect((await two.ask("command", { to: one.self.id, id, command })).ok).to.equal(true);
    expect(await hear(one, "command")).to.deep.equal({ from: two.self.id, id, command });
    const result = { ok: false, reason: "unsupported" };
    expect((await one.ask("result", { to: two.self.id, id, result })).ok).to.equal(true);
    expect(await hear(two, "result")).to.deep.equal({ from: one.self.id, id, result });
    const forged = await one.ask("command", { to: two.self.id, id, command });
    expect(forged.error.kind).to.equal("forbidden");
    expect(two.of("command")).to.deep.equal([]);
  });

  it("rejects forged and malformed messages, and names the field", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    const refused = async (type: string, sent: object): Promise<string> =>
      (await one.ask(type, sent)).error?.kind;
    const id = randomUUID();
    const to = two.self.id;
    expect(await refused("signal", { to })).to.equal("missing_parameter");
    expect(await refused("signal", { ...offer(to), from: to })).to.equal("invalid_parameter");
    expect(await refused("pointer", { point: { x: 2, y: 0 } })).to.equal("invalid_parameter");
    expect(await refused("state", { role: "agent" })).to.equal("invalid_parameter");
    expect(await refused("command", { to, id, command: { name: "format" } })).to.equal(
      "invalid_parameter",
    );
    expect(await refused("board", { op: "open", mediaId: -1, shapes: [] })).to.equal(
      "invalid_parameter",
    );
    for (const sdp of ["\u0000", "\ud83d"]) {
      const unstorable = { ...offer(to), description: { type: "offer", sdp } };
      expect(await refused("signal", unstorable)).to.equal("invalid_parameter");
    }
    expect(await refused("end", {})).to.equal("forbidden");
    expect(await refused("record", { step: "ask" })).to.equal("forbidden");
    expect(await refused("admit", { participants: "all" })).to.equal("forbidden");
    expect(two.of("signal")).to.deep.equal([]);
  });

  it("rejects messages to a participant of another room, who receives none", async () => {
    const { customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.node, agent),
    ];
    for (const node of [fixture.node, fixture.at(1)]) {
      const stranger = await joinCall(node, (await aRoom()).customer);
      const id = randomUUID();
      const to = stranger.self.id;
      const opened = { op: "open", mediaId: 1, shapes: [] };
      const kindOf = async (from: TestClient, type: string, sent: object): Promise<string> =>
        (await from.ask(type, { to, ...sent })).error?.kind;
      expect(await kindOf(one, "signal", offer(to))).to.equal("not_found");
      expect(await kindOf(two, "command", { id, command: { name: "mute" } })).to.equal("not_found");
      expect(await kindOf(one, "result", { id, result: { ok: true } })).to.equal("not_found");
      expect(await kindOf(two, "board", opened)).to.equal("invalid_parameter");
      expect((await stranger.ask("peers")).peers).to.deep.equal([]);
      expect(stranger.heard).to.deep.equal([]);
    }
  });

  it("moves to the page on which the same person joined last", async () => {
    const { customer } = await aRoom();
    const first = await joinCall(fixture.node, customer);
    const second = await joinCall(fixture.at(1), customer);
    expect(second.joined.sessionId).to.equal(first.joined.sessionId);
    expect(await hear(first, "left")).to.deep.equal({ reason: "elsewhere" });
    expect((await first.ask("established")).error.kind).to.equal("conflict");
    expect((await second.ask("established")).ok).to.equal(true);
    await first.ask("leave");
    expect((await second.ask("established")).ok, "the person is still there").to.equal(true);
  });

  it("asks everyone before it is recorded, and stores the customer's answer", async () => {
    const { guest, customer, agent } = await aRoom();
    const [one, two] = [
      await joinCall(fixture.node, customer),
      await joinCall(fixture.at(1), agent),
    ];
    await hearJoined(one, two);
    await two.ask("record", { step: "ask" });
    expect(await hear(one, "record")).to.deep.equal({ step: "ask", from: two.self.id });
    await one.ask("record", { step: "answer", isAccepted: true });
    expect(await hear(two, "record")).to.deep.equal({
      step: "answer",
      isAccepted: true,
      from: one.self.id,
    });
    const [row] = await database
      .db("recording_consents")
      .where({ session_id: one.joined.sessionId });
    expect(row).to.deep.include({ participant: guest.participant, is_accepted: true });
  });

  it("has one page per person in the call, even for concurrent joins", async () => {
    const { guest, agent } = await aRoom();
    const pages = await Promise.all([0, 1, 0, 1].map((at) => enterRoom(fixture.at(at), agent)));
    await Promise.all(pages.map((page) => page.ask("join")));
    const inCall = async (): Promise<unknown[]> =>
      database.db("room_peers").where({ conversation_id: guest.conversationId, is_in_call: true });
    expect(await inCall()).to.have.length(1);
    await eventually(() => pages.filter((page) => page.of("left").length > 0).length === 3);
    expect(await inCall()).to.have.length(1);
  });
});
