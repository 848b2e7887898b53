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

describe("the state that a page reports", () => {
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

  it("is applied locally at once, even while disconnected", () => {
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

  it("is not replaced while nothing changed", () => {
    const { store, reporter } = aReporter();
    const { self } = store.view();
    reporter.report();
    expect(store.view().self).to.equal(self);
  });

  it("is sent as a difference, and in full after a reconnection", async () => {
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
