import { expect } from "chai";
import { createFollowingClock } from "../../src/platform/clock.ts";

describe("a following clock", () => {
  it("keeps the offset to its reference, corrected by half the round trip", async () => {
    let local = 1_000;
    const offsets: number[] = [];
    const clock = createFollowingClock(
      async () => {
        local += 100;
        return 51_050;
      },
      (offsetMs) => void offsets.push(offsetMs),
      () => local,
    );
    expect(clock.now().getTime()).to.equal(1_000);
    await clock.resync();
    expect(clock.now().getTime()).to.equal(51_100);
    expect(offsets).to.deep.equal([50_000]);
    local += 500;
    expect(clock.now().getTime()).to.equal(51_600);
  });
});
