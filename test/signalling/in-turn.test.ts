import { expect } from "chai";
import { inTurn } from "../../src/signalling/in-turn.ts";

describe("work in turn", () => {
  it("never runs twice at a time, and once more for all who came meanwhile", async () => {
    const ends: (() => void)[] = [];
    let running = 0;
    const work = inTurn(async () => {
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

  it("goes on after work that failed", async () => {
    let runs = 0;
    const work = inTurn(async () => {
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
