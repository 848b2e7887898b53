import { expect } from "chai";
import type { CallQuality } from "../../../../src/contracts/room-messages.ts";
import {
  gradeOf,
  initialQuality,
  nextQuality,
  worstOf,
} from "../../../../web/rooms/quality/grade.ts";

const sample = { rttMs: 40, loss: 0, receivedBitrate: 1e6, sendableBitrate: 2e6 };

describe("the grade of a sample", () => {
  it("is good on a network without loss", () => {
    expect(gradeOf(sample, true)).to.equal("good");
    expect(gradeOf({ ...sample, rttMs: undefined, sendableBitrate: undefined }, true)).to.equal(
      "good",
    );
  });

  it("falls with delay, loss and bitrate", () => {
    expect(gradeOf({ ...sample, rttMs: 400 }, true)).to.equal("fair");
    expect(gradeOf({ ...sample, rttMs: 900 }, true)).to.equal("poor");
    expect(gradeOf({ ...sample, loss: 0.05 }, true)).to.equal("fair");
    expect(gradeOf({ ...sample, loss: 0.2 }, true)).to.equal("poor");
    expect(gradeOf({ ...sample, sendableBitrate: 100_000 }, true)).to.equal("poor");
  });

  it("needs little bitrate for audio only", () => {
    expect(gradeOf({ ...sample, sendableBitrate: 60_000 }, false)).to.equal("good");
  });

  it("is the worst of all connections", () => {
    expect(worstOf(["good", "poor", "fair"])).to.equal("poor");
    expect(worstOf([])).to.equal("good");
  });
});

describe("the quality of a call", () => {
  const after = (grades: readonly CallQuality[]): CallQuality[] => {
    let state = initialQuality;
    return grades.map((grade) => {
      state = nextQuality(state, grade);
      return state.quality;
    });
  };

  it("ignores a single bad sample", () => {
    expect(after(["poor", "good", "poor", "good"])).to.deep.equal(["good", "good", "good", "good"]);
  });

  it("drops with the second bad sample in a row", () => {
    expect(after(["poor", "poor"])).to.deep.equal(["good", "poor"]);
  });

  it("rises one grade at a time, after ten seconds each", () => {
    const qualities = after(["poor", "poor", ...Array.from({ length: 10 }, () => "good" as const)]);
    expect(qualities.slice(1, 6)).to.deep.equal(["poor", "poor", "poor", "poor", "poor"]);
    expect(qualities[6]).to.equal("fair");
    expect(qualities[11]).to.equal("good");
  });
});
