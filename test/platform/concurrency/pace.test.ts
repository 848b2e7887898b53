import { expect } from "chai";
import { createEventLoopYielder, createRest } from "../../../src/platform/concurrency/pace.ts";

function workMs(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) {
    // Blocks the event loop.
  }
}

describe("an event loop yielder", () => {
  it("yields during long work and not during short work", async () => {
    const yieldIfBusy = createEventLoopYielder();
    let turns = 0;
    const other = setInterval(() => {
      turns += 1;
    }, 0);
    try {
      for (let step = 0; step < 1_000; step += 1) {
        await yieldIfBusy();
      }
      const whileQuick = turns;
      for (let step = 0; step < 5; step += 1) {
        workMs(20);
        await yieldIfBusy();
      }
      expect(turns - whileQuick).to.be.within(2, 6);
    } finally {
      clearInterval(other);
    }
  });
});

describe("a rest", () => {
  it("is three times as long as the step before it, but no longer than 50 ms", async () => {
    let now = 0;
    const rest = createRest(1_000, () => now);
    const restMs = async (stepMs: number): Promise<number> => {
      now += stepMs;
      const startedAt = performance.now();
      await rest();
      return performance.now() - startedAt;
    };
    expect(await restMs(10)).to.be.greaterThan(29);
    expect(await restMs(3_600_000)).to.be.within(49, 10_000);
  });

  it("ends at once when all rests together have taken their time", async () => {
    let now = 0;
    const rest = createRest(20, () => now);
    now += 10;
    await rest();
    now += 10;
    let isOver = false;
    void rest().then(() => {
      isOver = true;
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(isOver).to.equal(true);
  });
});
