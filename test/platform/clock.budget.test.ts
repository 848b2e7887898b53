import { expect } from "chai";
import { startTimeBudget } from "../../src/platform/clock.ts";
import { createTestClock } from "../support/clock.ts";

describe("the time budget of a pass", () => {
  it("is spent after 20 seconds", () => {
    const clock = createTestClock();
    const budget = startTimeBudget(clock);
    clock.advance(19_999);
    expect(budget.isSpent()).to.equal(false);
    clock.advance(1);
    expect(budget.isSpent()).to.equal(true);
  });

  it("is spent at once when the process stops", () => {
    const stop = new AbortController();
    const budget = startTimeBudget(createTestClock(), stop.signal);
    expect(budget.isSpent()).to.equal(false);
    stop.abort();
    expect(budget.isSpent()).to.equal(true);
  });
});
