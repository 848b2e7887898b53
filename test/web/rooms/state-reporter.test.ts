import { expect } from "chai";
import {
  initialPeerState,
  type CameraState,
  type PeerState,
} from "../../../src/contracts/room-messages.ts";
import {
  createStateReporter,
  type StateReporterOptions,
} from "../../../web/rooms/state-reporter.ts";
import { createStore } from "../../../web/rooms/store.ts";

describe("what a page reports of itself", () => {
  const aReporter = () => {
    const sent: unknown[] = [];
    const store = createStore();
    store.update({
      self: {
        ...{ id: "own", participant: "p", name: "Jane", role: "requestor", isInCall: true },
        state: initialPeerState,
      },
    });
    const now = { state: initialPeerState, isReady: true };
    const signalling = {
      isReady: () => now.isReady,
      request: (_name: string, change: unknown) => {
        sent.push(change);
        return Promise.resolve({ ok: true });
      },
    } as unknown as StateReporterOptions["signalling"];
    const reporter = createStateReporter({ store, signalling, read: () => now.state });
    const become = (change: Partial<PeerState>): void => {
      now.state = { ...now.state, ...change };
      reporter.report();
    };
    return { store, sent, now, reporter, become };
  };

  it("shows it in its own view at once, also while it is not connected", () => {
    const { store, now, become } = aReporter();
    now.isReady = false;
    const camera: CameraState = {
      facing: "environment",
      canSwitch: false,
      isTorchOn: true,
      zoom: null,
    };
    become({ camera, quality: "poor" });
    expect(store.view().self?.state).to.deep.equal({
      ...initialPeerState,
      ...{ camera, quality: "poor" },
    });
    expect(store.view().self?.name).to.equal("Jane");
  });

  it("keeps the same view while nothing changed", () => {
    const { store, reporter } = aReporter();
    const { self } = store.view();
    reporter.report();
    expect(store.view().self).to.equal(self);
  });

  it("sends the others only what changed, and all of it after a new connection", async () => {
    const { sent, reporter, become } = aReporter();
    reporter.reportAll();
    await settled();
    become({ isMicOn: !initialPeerState.isMicOn });
    await settled();
    reporter.reportAll();
    await settled();
    const isMicOn = !initialPeerState.isMicOn;
    expect(sent).to.deep.equal([initialPeerState, { isMicOn }, { ...initialPeerState, isMicOn }]);
  });
});

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
