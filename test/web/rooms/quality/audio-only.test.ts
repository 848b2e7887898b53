import { expect } from "chai";
import type { CallQuality } from "../../../../src/contracts/room-messages.ts";
import {
  initialAudioOnly,
  nextAudioOnly,
  type AudioOnlyState,
} from "../../../../web/rooms/quality/audio-only.ts";

describe("the audio-only mode", () => {
  const suspended = next(next(initialAudioOnly, "poor", 0), "poor", 10_000);

  it("starts after ten seconds of a poor connection", () => {
    expect(next(initialAudioOnly, "poor", 0).isSuspended).to.equal(false);
    expect(suspended).to.include({ isSuspended: true, count: 1 });
  });

  it("does not start if the connection recovers in between", () => {
    const poor = next(initialAudioOnly, "poor", 0);
    const fair = next(poor, "fair", 5_000);
    expect(next(fair, "poor", 11_000).isSuspended).to.equal(false);
  });

  it("does not start because of an interruption that is still shown", () => {
    const poor = next(initialAudioOnly, "poor", 0);
    const over = nextAudioOnly(poor, { now: "good", shown: "poor" }, 4_000);
    expect(nextAudioOnly(over, { now: "good", shown: "poor" }, 12_000).isSuspended).to.equal(false);
  });

  it("ends after twelve good seconds, with backoff", () => {
    const recovering = next(suspended, "good", 20_000);
    expect(next(recovering, "good", 31_000).isSuspended).to.equal(true);
    expect(next(recovering, "good", 32_000).isSuspended).to.equal(false);
    const again = { ...recovering, count: 2 };
    expect(next(again, "good", 32_000).isSuspended).to.equal(true);
    expect(next(again, "good", 44_000).isSuspended).to.equal(false);
  });
});

function next(state: AudioOnlyState, quality: CallQuality, nowMs: number): AudioOnlyState {
  return nextAudioOnly(state, { now: quality, shown: quality }, nowMs);
}
