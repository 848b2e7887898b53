import { expect } from "chai";
import {
  initialBandwidth,
  nextBandwidth,
  type BandwidthState,
} from "../../../../web/rooms/media/bandwidth.ts";
import { cameraLimit, limitsFor } from "../../../../web/rooms/media/limits.ts";

describe("the bandwidth of a connection", () => {
  const enough = nextBandwidth(initialBandwidth(0), 2_000_000, 3_000);
  const scarce = read(enough, [
    [200_000, 3_500],
    [200_000, 3_700],
  ]);

  it("is unknown for three seconds", () => {
    const early = nextBandwidth(initialBandwidth(0), 2_000_000, 2_000);
    expect([early.bandwidth, enough.bandwidth]).to.deep.equal(["unknown", "enough"]);
  });

  it("is low after two low estimates in a row", () => {
    const once = read(enough, [
      [200_000, 3_500],
      [900_000, 3_700],
      [200_000, 4_200],
    ]);
    expect([once.bandwidth, scarce.bandwidth]).to.deep.equal(["enough", "scarce"]);
  });

  it("is probed again after five seconds if the estimate is high", () => {
    expect(nextBandwidth(scarce, 600_000, 8_600).bandwidth).to.equal("scarce");
    expect(nextBandwidth(scarce, 600_000, 8_700).bandwidth).to.equal("enough");
  });

  it("is otherwise probed again after fifteen seconds, with backoff", () => {
    expect(nextBandwidth(scarce, 250_000, 18_600).bandwidth).to.equal("scarce");
    expect(nextBandwidth(scarce, 250_000, 18_700).bandwidth).to.equal("enough");
    const second = { ...scarce, count: 2 };
    expect(nextBandwidth(second, 250_000, 18_700).bandwidth).to.equal("scarce");
    expect(nextBandwidth(second, 250_000, 33_700).bandwidth).to.equal("enough");
  });

  it("if low, limits video to 360 lines and 15 frames per second", () => {
    const limits = limitsFor(2);
    expect(cameraLimit(limits, "scarce")).to.include({ maxHeight: 360, maxFramerate: 15 });
    expect(cameraLimit(limits, "enough")).to.equal(limits.camera);
  });
});

function read(
  state: BandwidthState,
  estimates: readonly (readonly [number, number])[],
): BandwidthState {
  return estimates.reduce(
    (before, [sendable, nowMs]) => nextBandwidth(before, sendable, nowMs),
    state,
  );
}
