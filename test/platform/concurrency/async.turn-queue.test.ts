import { expect } from "chai";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { createTurnQueue } from "../../../src/platform/concurrency/async.ts";

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
