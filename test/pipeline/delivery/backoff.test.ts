import { expect } from "chai";
import {
  delayBeforeAttemptMs,
  longestDelayMs,
  maxAttempts,
} from "../../../src/pipeline/delivery/backoff.ts";

const middle = (): number => 0.5;
const lowest = (): number => 0;
const highest = (): number => 1 - Number.EPSILON;

describe("the retry schedule", () => {
  const seconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  it("has ten tries", () => {
    expect(maxAttempts).to.equal(10);
  });

  seconds.forEach((delay, index) => {
    it(`waits ${delay} s before attempt ${index + 1}, ten per cent more or less`, () => {
      const attempt = index + 1;
      expect(delayBeforeAttemptMs(attempt, middle)).to.equal(delay * 1000);
      expect(delayBeforeAttemptMs(attempt, lowest)).to.equal(delay * 900);
      expect(delayBeforeAttemptMs(attempt, highest)).to.be.closeTo(delay * 1100, 1);
    });
  });

  it("goes on with its last wait beyond its end", () => {
    expect(delayBeforeAttemptMs(11, middle)).to.equal(longestDelayMs);
    expect(delayBeforeAttemptMs(0, middle)).to.equal(0);
  });
});
