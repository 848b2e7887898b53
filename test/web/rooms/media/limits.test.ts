import { expect } from "chai";
import { limitsFor, scaleFor } from "../../../../web/rooms/media/limits.ts";

describe("the send limits of a connection", () => {
  it("are 720p at up to 2.5 Mbit/s between two people", () => {
    expect(limitsFor(2).camera).to.include({ maxBitrate: 2_500_000, maxHeight: 720 });
  });

  it("are 360p at 400 kbit/s with more than three", () => {
    expect(limitsFor(4).camera).to.include({ maxBitrate: 400_000, maxHeight: 360 });
  });

  it("never reduce audio below 24 kbit/s", () => {
    for (const people of [1, 2, 3, 4, 6]) {
      expect(limitsFor(people).audio.maxBitrate).to.be.at.least(24_000);
    }
  });

  it("scale down larger pictures, and never scale up", () => {
    const { camera } = limitsFor(4);
    expect(scaleFor(720, camera)).to.equal(2);
    expect(scaleFor(240, camera)).to.equal(1);
    expect(scaleFor(undefined, camera)).to.equal(1);
  });
});
