import { expect } from "chai";
import type { MediaRoute, RoomPeer } from "../../../src/contracts/room-messages.ts";
import { eventually } from "../../support/eventually.ts";
import { useFakeLivekit } from "../../support/fake-livekit.ts";
import { anAgreedRoom } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { enterRoom, hear, joinCall } from "../../support/signalling.ts";

describe("a supervisor on the socket of a room", () => {
  const livekit = useFakeLivekit();
  const fixture = useSignalling({ nodes: 2, environment: livekit.environment });
  const { database } = fixture;

  /** A call of agent and customer, and the supervisor's page, after `hello`. */
  const watched = async () => {
    await database.db("services").update({ room_backend: "auto" });
    const { customer, agent } = await anAgreedRoom(database.db, fixture.tenant);
    const staff = await joinCall(fixture.node, agent);
    const guest = await joinCall(fixture.at(1), customer);
    const { sessionId } = staff.joined as { sessionId: string };
    const { admin } = fixture.tenant.members;
    const response = await fetch(`${fixture.node.url}/api/rooms/${sessionId}/supervisor-token`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const { room_token: token } = (await response.json()) as { room_token: string };
    return { staff, guest, sessionId, supervisor: await enterRoom(fixture.at(1), token) };
  };

  const isWatching = ({ role }: RoomPeer): boolean => role === "supervisor";

  const claimsOf = (route: MediaRoute) =>
    JSON.parse(atob((route.kind === "livekit" ? route.token : "").split(".")[1] ?? ""));

  it("is announced to all in the call before anything is sent, and until the page is gone", async () => {
    const { staff, guest, supervisor } = await watched();
    for (const page of [staff, guest]) {
      const peer = await hear<RoomPeer>(page, "peer-joined", isWatching);
      expect(peer).to.deep.include({ id: supervisor.self.id, name: "", isInCall: false });
    }
    supervisor.close();
    for (const page of [staff, guest]) {
      await hear<{ id: string }>(page, "peer-left", ({ id }) => id === supervisor.self.id);
    }
  });

  it("moves the call to LiveKit, and gets a receive-only token", async () => {
    const { staff, guest, sessionId, supervisor } = await watched();
    const answer = await supervisor.ask("watch");
    expect(answer.ok).to.equal(true);
    expect(answer.peers.map(({ role }: RoomPeer) => role)).to.have.members(["agent", "requestor"]);
    const { sub, video } = claimsOf(answer.route);
    expect([sub, video.room]).to.deep.equal([supervisor.self.id, sessionId]);
    expect(video).to.deep.include({ canPublish: false, hidden: true, canSubscribe: true });
    for (const page of [staff, guest]) {
      const moved = await hear<{ route: MediaRoute }>(page, "route", () => true);
      expect(claimsOf(moved.route).video.canPublish).to.equal(true);
    }
    const people = await database.db("participations").where({ session_id: sessionId });
    expect(people.map(({ role }) => role)).to.have.members(["agent", "requestor"]);
    // The sweep keeps the supervisor while the page is connected, and removes it from LiveKit
    // afterwards.
    livekit.rooms.set(sessionId, [supervisor.self.id, staff.self.id, guest.self.id, "stranger"]);
    await eventually(() => livekit.rooms.get(sessionId)?.includes("stranger") === false);
    expect(livekit.rooms.get(sessionId)).to.include(supervisor.self.id);
    supervisor.close();
    await eventually(() => livekit.rooms.get(sessionId)?.includes(supervisor.self.id) === false);
    expect(livekit.rooms.get(sessionId)).to.have.members([staff.self.id, guest.self.id]);
  });

  it("has no other permission, and is disconnected with the session", async () => {
    const { staff, sessionId, supervisor } = await watched();
    const answered: string[] = [];
    for (const type of ["join", "leave", "end", "chat", "state", "signal", "record", "remove"]) {
      supervisor.socket.emit(type, {}, () => answered.push(type));
    }
    expect((await supervisor.ask("peers")).peers).to.have.length(2);
    expect(answered).to.deep.equal([]);
    const [session] = await database.db("sessions").where({ id: sessionId });
    expect(session.ended_at).to.equal(null);
    await staff.ask("end");
    await hear(supervisor, "over", () => true);
  });

  it("does not keep a call on LiveKit that no participant can reach", async () => {
    const { staff, sessionId, supervisor } = await watched();
    await supervisor.ask("watch");
    livekit.hidden.add(supervisor.self.id);
    livekit.rooms.set(sessionId, [supervisor.self.id]);
    const { route } = await staff.ask("media-failed", { kind: "livekit" });
    expect(route).to.deep.equal({ kind: "mesh" });
    await hear<{ route: MediaRoute }>(supervisor, "route", (sent) => sent.route.kind === "mesh");
    expect((await supervisor.ask("watch")).error.kind).to.equal("conflict");
  });

  it("gets an error while LiveKit does not respond", async () => {
    const { staff, supervisor } = await watched();
    livekit.setAway(true);
    const refused = await supervisor.ask("watch");
    expect(refused.error.kind).to.equal("conflict");
    expect(staff.of("route")).to.deep.equal([]);
    livekit.setAway(false);
    expect((await supervisor.ask("watch")).ok).to.equal(true);
  });
});
