import { expect } from "chai";
import { initialAudioOnly, nextAudioOnly } from "../../../../web/rooms/quality/audio-only.ts";

describe("sending the sound only", () => {
  const suspended = nextAudioOnly(nextAudioOnly(initialAudioOnly, "poor", 0), "poor", 10_000);

  it("begins after ten seconds of a poor connection", () => {
    expect(nextAudioOnly(initialAudioOnly, "poor", 0).isSuspended).to.equal(false);
    expect(suspended).to.include({ isSuspended: true, count: 1 });
  });

  it("does not begin if the connection recovers in between", () => {
    const poor = nextAudioOnly(initialAudioOnly, "poor", 0);
    const fair = nextAudioOnly(poor, "fair", 5_000);
    expect(nextAudioOnly(fair, "poor", 11_000).isSuspended).to.equal(false);
  });

  it("ends after twelve good seconds, and later each time", () => {
    const recovering = nextAudioOnly(suspended, "good", 20_000);
    expect(nextAudioOnly(recovering, "good", 31_000).isSuspended).to.equal(true);
    expect(nextAudioOnly(recovering, "good", 32_000).isSuspended).to.equal(false);
    const again = { ...recovering, count: 2 };
    expect(nextAudioOnly(again, "good", 32_000).isSuspended).to.equal(true);
    expect(nextAudioOnly(again, "good", 44_000).isSuspended).to.equal(false);
  });
});
