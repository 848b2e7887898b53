import { expect } from "chai";
import { initialPeerState } from "../../../../src/contracts/room-messages.ts";
import { customerOf, customerStateOf, stageOf } from "../../../../web/console/call/call-stage.ts";
import type { PeerView, RoomView } from "../../../../web/rooms/room.ts";

const peer: PeerView = {
  ...{ id: "a", role: "requestor", name: "Jane", participant: "requestor", isInCall: true },
  ...{ state: { ...initialPeerState, isCameraOn: true } },
  ...{ stream: undefined, screen: undefined, media: "connected" },
};

const view = (changes: Partial<RoomView>): RoomView =>
  ({
    ...{ connection: "connected", phase: "outside", peers: [], leaveReason: undefined },
    ...changes,
  }) as RoomView;

describe("the stage of an agent's call", () => {
  const cases: [name: string, RoomView, ReturnType<typeof stageOf>][] = [
    ["no customer", view({}), "waiting"],
    ["before the first connection", view({ connection: "connecting" }), "connecting"],
    ["the customer opened the link", view({ peers: [{ ...peer, isInCall: false }] }), "arriving"],
    ["the customer is in the room", view({ peers: [peer] }), "ringing"],
    [
      "the customer waits, and this page reconnects",
      view({ peers: [peer], connection: "reconnecting" }),
      "ringing",
    ],
    ["the agent joins", view({ phase: "joining" }), "joining"],
    ["the agent is in the call", view({ phase: "in-call", peers: [peer] }), "in-call"],
    ["it was ended", view({ phase: "left", leaveReason: "ended" }), "ended"],
    ["the agent left", view({ phase: "left" }), "ended"],
    ["another window joined", view({ phase: "left", leaveReason: "elsewhere" }), "elsewhere"],
    ["the connection was lost", view({ phase: "left", leaveReason: "lost" }), "lost"],
    ["the room is over", view({ connection: "over", phase: "in-call" }), "over"],
  ];
  for (const [name, seen, stage] of cases) {
    it(`is ${stage}: ${name}`, () => {
      expect(stageOf(seen)).to.equal(stage);
    });
  }

  it("selects the page that is in the call if the customer has several", () => {
    const others = [{ ...peer, id: "b", isInCall: false }, peer];
    expect(customerOf(view({ peers: others }))?.id).to.equal("a");
    expect(customerOf(view({ peers: [{ ...peer, role: "agent" }] }))).to.equal(undefined);
  });

  it("says in which way the customer is visible", () => {
    const state = (changes: Partial<PeerView>) => customerStateOf({ ...peer, ...changes });
    expect(customerStateOf(undefined)).to.equal("absent");
    expect(state({ isInCall: false })).to.equal("absent");
    expect(state({ media: "reconnecting" })).to.equal("reconnecting");
    expect(state({})).to.equal("live");
    expect(state({ state: { ...peer.state, isPaused: true } })).to.equal("paused");
    expect(state({ state: initialPeerState })).to.equal("no-camera");
    expect(state({ state: { ...initialPeerState, isSharing: true } })).to.equal("live");
  });
});
