import { expect } from "chai";
import { coalesce } from "../../../src/platform/concurrency/async.ts";

describe("coalesce", () => {
  it("never runs concurrently, and runs once more for all calls in between", async () => {
    const ends: (() => void)[] = [];
    let running = 0;
    const work = coalesce(async () => {
      running += 1;
      expect(running).to.equal(1);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    });
    const first = work();
    const others = [work(), work(), work()];
    ends[0]?.();
    await first;
    await new Promise(setImmediate);
    expect(ends).to.have.length(2);
    ends[1]?.();
    await Promise.all(others);
    expect(ends).to.have.length(2);
  });

  it("lets a call between two runs join the next one", async () => {
    let running = 0;
    let maxRunning = 0;
    let ends: (() => void)[] = [];
    const work = coalesce(async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    });
    const first = work();
    const others = [work()];
    ends.shift()?.();
    // Callers of the first run resume before the next run begins.
    for (let ticks = 0; ticks < 10; ticks += 1) {
      await Promise.resolve();
      others.push(work());
    }
    await first;
    await new Promise(setImmediate);
    while (ends.length > 0) {
      const now = ends;
      ends = [];
      now.forEach((end) => end());
      await new Promise(setImmediate);
    }
    await Promise.all(others);
    expect(maxRunning).to.equal(1);
  });

  it("runs again after a failure", async () => {
    let runs = 0;
    const work = coalesce(async () => {
      runs += 1;
      if (runs === 1) {
        throw new Error("once");
      }
    });
    const [first, second] = await Promise.allSettled([work(), work()]);
    expect([first.status, second.status]).to.deep.equal(["rejected", "fulfilled"]);
    await work();
    expect(runs).to.equal(3);
  });
});
