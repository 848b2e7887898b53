import { expect } from "chai";
import {
  attemptsOf,
  delayBeforeAttemptMs,
  longestDelayMs,
  maxAttempts,
} from "../../../src/pipeline/delivery/retry-policy.ts";

function middle(): number {
  return 0.5;
}
function lowest(): number {
  return 0;
}
function highest(): number {
  return 1 - Number.EPSILON;
}

describe("the retry schedule", () => {
  const seconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

  it("has ten attempts", () => {
    expect(maxAttempts).to.equal(10);
  });

  seconds.forEach((delay, index) => {
    it(`waits ${delay} s before attempt ${index + 1}, ten per cent more or less`, () => {
      const attempt = index + 1;
      expect(delayBeforeAttemptMs(attempt, middle)).to.equal(delay * 1000);
      expect(delayBeforeAttemptMs(attempt, lowest)).to.equal(delay * 900);
      const most = Math.min(delay * 1100, longestDelayMs);
      expect(delayBeforeAttemptMs(attempt, highest)).to.be.closeTo(most, 1);
    });
  });

  it("continues with its last delay beyond its end", () => {
    expect(delayBeforeAttemptMs(11, middle)).to.equal(longestDelayMs);
    expect(delayBeforeAttemptMs(0, middle)).to.equal(0);
  });

  it("never exceeds a day, for any jitter", () => {
    expect(delayBeforeAttemptMs(10, highest)).to.equal(longestDelayMs);
  });
});

describe("a custom retry schedule", () => {
  it("has one attempt more than delays", () => {
    expect([attemptsOf([]), attemptsOf([10]), attemptsOf([10, 60])]).to.deep.equal([1, 2, 3]);
  });

  it("uses its delays before the second and third attempt, ±10 %", () => {
    const own = [10, 60];
    expect(delayBeforeAttemptMs(1, middle, own)).to.equal(0);
    expect(delayBeforeAttemptMs(2, middle, own)).to.equal(10_000);
    expect(delayBeforeAttemptMs(3, lowest, own)).to.equal(54_000);
    expect(delayBeforeAttemptMs(3, highest, own)).to.be.closeTo(66_000, 1);
    expect(delayBeforeAttemptMs(9, middle, own)).to.equal(60_000);
  });

  it("uses its last delay unchanged, even if it is a day", () => {
    expect(delayBeforeAttemptMs(2, highest, [86_400])).to.be.closeTo(95_040_000, 1);
  });

  it("has a short default delay if it is empty, for deliveries kept after a switch-off", () => {
    expect(delayBeforeAttemptMs(2, middle, [])).to.equal(5_000);
  });
});
