import { expect } from "chai";
import {
  mapEachInOrder,
  mapInOrder,
  repeat,
  retry,
} from "../../../src/platform/concurrency/queues.ts";

describe("a retry", () => {
  const never = new AbortController().signal;

  it("runs the work until it succeeds, with growing pauses", async () => {
    const pauses: number[] = [];
    let runs = 0;
    const result = await retry(
      async () => {
        runs += 1;
        if (runs < 5) {
          throw new Error("away");
        }
        return runs;
      },
      {
        ...{ minPauseMs: 1, maxPauseMs: 3, signal: never },
        isFinal: (_error, pauseMs) => {
          pauses.push(pauseMs);
          return false;
        },
      },
    );
    expect(result).to.equal(5);
    expect(pauses).to.deep.equal([1, 2, 3, 3]);
  });

  it("rejects with a final failure, and with any failure once the signal has aborted", async () => {
    const options = { minPauseMs: 60_000, maxPauseMs: 60_000 };
    const fail = async (): Promise<never> => {
      throw new Error("refused");
    };
    const failures = await Promise.allSettled([
      retry(fail, { ...options, signal: never, isFinal: ({ message }) => message === "refused" }),
      retry(fail, { ...options, signal: AbortSignal.abort(), isFinal: () => false }),
    ]);
    expect(failures.map(({ status }) => status)).to.deep.equal(["rejected", "rejected"]);
  });
});

describe("a repetition", () => {
  it("ends at the signal, without waiting for the pause", async () => {
    const stop = new AbortController();
    let runs = 0;
    const work = async (): Promise<void> => {
      runs += 1;
      stop.abort();
    };
    await repeat(work, 60_000, stop.signal);
    await repeat(work, 60_000, stop.signal);
    expect(runs).to.equal(1);
  });
});

describe("a sequential map", () => {
  it("starts each call after the previous one, and keeps the order", async () => {
    let running = 0;
    const doubled = await mapInOrder(new Set([1, 2, 3]), async (item) => {
      running += 1;
      expect(running).to.equal(1);
      await Promise.resolve();
      running -= 1;
      return item * 2;
    });
    expect(doubled).to.deep.equal([2, 4, 6]);
  });

  it("goes on after a failure if each counts, and rejects at the end", async () => {
    const done: number[] = [];
    const work = async (item: number): Promise<void> => {
      if (item % 2 === 0) {
        throw new Error(`not ${item}`);
      }
      done.push(item);
    };
    const one = await mapEachInOrder([1, 2, 3], work).catch((thrown: unknown) => thrown);
    const more = await mapEachInOrder([4, 5, 6], work).catch((thrown: unknown) => thrown);
    expect([one, more].map((thrown) => (thrown as Error).message)).to.deep.equal([
      "not 2",
      "2 errors, the first: not 4",
    ]);
    expect(done).to.deep.equal([1, 3, 5]);
    expect(await mapEachInOrder([1, 2], async (item) => item * 2)).to.deep.equal([2, 4]);
  });
});
