import { expect } from "chai";
import { initialPeerState, type RoomPeer } from "../../../../src/contracts/room-messages.ts";
import { callStatus } from "../../../../web/visit/room/call-status.ts";
import { noteOfChange } from "../../../../web/visit/room/note-of-change.ts";
import { deviceProblemOf } from "../../../../web/visit/device-problem.ts";

type StatusInput = Parameters<typeof callStatus>[0];
type Watched = Parameters<typeof noteOfChange>[0];

const self: RoomPeer = {
  ...{ id: "me", role: "requestor", name: "Jane", participant: "requestor", isInCall: true },
  state: initialPeerState,
};

const view = {
  ...{ connection: "connected", phase: "in-call", notice: undefined, self },
  ...{ board: undefined, local: { isPaused: false } },
} as unknown as StatusInput;

const agent = { ...self, id: "agent", role: "agent", media: "connected" } as unknown as NonNullable<
  Parameters<typeof callStatus>[1]
>;

describe("the status of a call", () => {
  it("is the most important sentence", () => {
    const poor = { ...self, state: { ...initialPeerState, quality: "poor" } } as const;
    const textOf = (...input: Parameters<typeof callStatus>) => callStatus(...input).text;
    expect(textOf(view, agent, undefined)).to.equal(undefined);
    expect(textOf(view, undefined, undefined)).to.equal("waiting_text");
    expect(textOf({ ...view, phase: "joining" }, undefined, undefined)).to.equal("connecting");
    expect(textOf(view, { ...agent, media: "reconnecting" }, undefined)).to.equal(
      "agent_reconnecting",
    );
    expect(textOf({ ...view, self: poor }, agent, undefined)).to.equal("quality_poor");
    const undecided = { ...view, local: { ...view.local, isAsking: true } };
    expect(textOf(undecided, agent, undefined)).to.equal("devices_asking");
    expect(textOf(undecided, undefined, undefined)).to.equal("devices_asking");
    expect(textOf(undecided, { ...agent, media: "reconnecting" }, undefined)).to.equal(
      "agent_reconnecting",
    );
    expect(textOf({ ...undecided, phase: "joining" }, agent, undefined)).to.equal("connecting");
    const paused = { ...view, local: { ...view.local, isPaused: true } };
    expect(textOf(paused, agent, undefined), "the large picture says it").to.equal(undefined);
    const seen = { ...agent, state: { ...agent.state, isCameraOn: true } };
    expect(textOf(paused, seen, undefined)).to.equal("paused_text");
    expect(textOf({ ...view, self: poor }, agent, "note_photo")).to.equal("note_photo");
    expect(textOf({ ...view, notice: "file-too-large" }, agent, "note_photo")).to.equal(
      "notice_file_too_large",
    );
    expect(textOf({ ...view, notice: "lock-failed" }, agent, undefined)).to.equal("notice_other");
    const lost = { ...view, connection: "reconnecting", notice: "file-failed" } as const;
    expect(textOf(lost, agent, "note_photo")).to.equal("platform_reconnecting");
    expect(textOf(lost, { ...agent, media: "reconnecting" }, undefined)).to.equal("reconnecting");
    expect(textOf(lost, undefined, undefined)).to.equal("reconnecting");
  });
});

const camera = { facing: "environment", canSwitch: true, isTorchOn: false, zoom: null } as const;

const watched = {
  local: { isMicOn: true, micFault: undefined },
  shared: [],
  self: { ...self, state: { ...initialPeerState, camera } },
  board: undefined,
} as unknown as Watched;

const nothingExpected = { isMuteExpected: false, isFileExpected: false };

describe("the notes of a call", () => {
  const noteOf = (now: Partial<Watched>, expected = nothingExpected) =>
    noteOfChange(watched, { ...watched, ...now }, expected);

  it("name a photo that was taken, but no file sent by the customer", () => {
    const shared = [{ mediaId: 7, from: "me" }];
    expect(noteOf({ shared })).to.deep.equal({ note: "note_photo", mediaId: 7 });
    expect(noteOf({ shared }, { ...nothingExpected, isFileExpected: true })).to.equal(undefined);
    expect(noteOf({ shared: [{ mediaId: 7, from: "agent" }] })).to.equal(undefined);
  });

  it("name what the agent did to microphone and camera", () => {
    const local = { ...watched.local, isMicOn: false };
    expect(noteOf({ local })).to.deep.equal({ note: "note_muted" });
    expect(noteOf({ local }, { ...nothingExpected, isMuteExpected: true })).to.equal(undefined);
    const withCamera = (change: object) =>
      noteOf({
        self: { ...self, state: { ...initialPeerState, camera: { ...camera, ...change } } },
      });
    expect(withCamera({ isTorchOn: true })).to.deep.equal({ note: "note_torch_on" });
    expect(withCamera({ zoom: { min: 1, max: 4, step: 1, value: 2 } })).to.deep.equal({
      note: "note_zoom",
    });
    expect(withCamera({ facing: "user", isTorchOn: null })).to.equal(undefined);
  });

  it("name a frozen photo once", () => {
    const board = { mediaId: 7, shapes: [] };
    expect(noteOf({ board })).to.deep.equal({ note: "note_board" });
    expect(noteOfChange({ ...watched, board }, { ...watched, board }, nothingExpected)).to.equal(
      undefined,
    );
  });
});

describe("a problem with the devices", () => {
  it("concerns both, the camera, or the microphone", () => {
    const titleOf = (...[cameraFault, micFault]: Parameters<typeof faults>) =>
      deviceProblemOf(faults(cameraFault, micFault))?.title;
    expect(titleOf(undefined, undefined)).to.equal(undefined);
    expect(titleOf("denied", "denied")).to.equal("devices_refused");
    expect(titleOf("busy", undefined)).to.equal("camera_busy");
    expect(titleOf(undefined, "missing")).to.equal("microphone_missing");
    expect(titleOf("failed", "denied")).to.equal("camera_busy");
  });
});

type Faults = Parameters<typeof deviceProblemOf>[0];

function faults(cameraFault: Faults["cameraFault"], micFault: Faults["micFault"]): Faults {
  return { cameraFault, micFault };
}
