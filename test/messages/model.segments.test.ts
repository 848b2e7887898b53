import { expect } from "chai";
import { countSegments, maxSmsLength } from "../../src/messages/model.ts";
import { promised } from "../support/promised.ts";

describe("SMS segments", () => {
  it("are counted exactly up to the maximum length", () => {
    expect(countSegments("x".repeat(160)).segments).to.equal(1);
    expect(countSegments("x".repeat(161)).segments).to.equal(2);
    expect(countSegments("ж".repeat(71))).to.deep.equal({
      segments: 2,
      characters: 71,
      encoding: "UCS-2",
    });
    expect(countSegments("x".repeat(maxSmsLength))).to.deep.equal({
      segments: 10,
      characters: maxSmsLength,
      encoding: "GSM-7",
    });
  });

  it("of a longer text are estimated", () => {
    const started = performance.now();
    expect(countSegments("x".repeat(200_000))).to.deep.equal({
      segments: 1_308,
      characters: 200_000,
      encoding: "GSM-7",
    });
    expect(countSegments(`${"x".repeat(199_999)}ж`)).to.include({
      segments: 2_986,
      encoding: "UCS-2",
    });
    expect(performance.now() - started).to.be.below(promised(1_000));
  });
});
