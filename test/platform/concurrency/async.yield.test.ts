import { expect } from "chai";
import { setImmediate as endOfTurn } from "node:timers/promises";
import {
  createEventLoopYielder,
  createTurnQueue,
} from "../../../src/platform/concurrency/async.ts";

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

describe("a turn queue", () => {
  it("lets a few callers continue per turn of the event loop, in call order", async () => {
    const nextTurn = createTurnQueue(2);
    const continued: number[] = [];
    const all = [1, 2, 3, 4, 5].map(async (caller) => {
      await nextTurn();
      continued.push(caller);
    });
    expect(continued).to.deep.equal([]);
    const afterTurns: number[][] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await endOfTurn();
      afterTurns.push([...continued]);
    }
    expect(afterTurns).to.deep.equal([
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
    await Promise.all(all);
  });

  it("starts again after it was empty, and counts callers that join in between", async () => {
    const nextTurn = createTurnQueue(1);
    await nextTurn();
    const continued: string[] = [];
    const call = async (caller: string): Promise<void> => {
      await nextTurn();
      continued.push(caller);
    };
    const first = call("first");
    const second = call("second");
    await endOfTurn();
    const third = call("third");
    await endOfTurn();
    expect(continued).to.deep.equal(["first", "second"]);
    await Promise.all([first, second, third]);
    expect(continued).to.deep.equal(["first", "second", "third"]);
  });
});
