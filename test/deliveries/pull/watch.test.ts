import { expect } from "chai";
import { createSequenceWatch } from "../../../src/deliveries/pull/watch.ts";
import { eventually } from "../../support/eventually.ts";
import { promised } from "../../support/promised.ts";

const silent = { warn: () => undefined } as never;

describe("the sequence watch", () => {
  const start = () => {
    const last = new Map<number, number>();
    const asked: number[][] = [];
    const stopping = new AbortController();
    const watch = createSequenceWatch({
      readLastSequences: async (ids) => {
        asked.push([...ids]);
        return last;
      },
      log: silent,
      stopping: stopping.signal,
    });
    return { last, asked, stopping, watch };
  };

  it("runs one query for all waiting requests, and none without", async () => {
    const { last, asked, watch } = start();
    const waits = [1, 2, 1].map((id) => watch.wait(id, 0, { waitMs: 5_000 }));
    await eventually(() => asked.length > 0);
    expect(asked[0]).to.deep.equal([1, 2]);
    last.set(1, 1).set(2, 1);
    await Promise.all(waits);
    const count = asked.length;
    await watch.wait(9, 0, { waitMs: 0 });
    await start().watch.wait(9, 0, { waitMs: 700 }); // a second waiter joins later
    expect(asked.length - count).to.be.at.most(1);
  });

  it("wakes only the waiters of subscriptions with new sequences", async () => {
    const { last, watch } = start();
    const order: string[] = [];
    const quick = watch.wait(1, 3, { waitMs: 5_000 }).then(() => order.push("new"));
    const late = watch.wait(1, 4, { waitMs: 400 }).then(() => order.push("over"));
    last.set(1, 4);
    await Promise.all([quick, late]);
    expect(order).to.deep.equal(["new", "over"]);
  });

  it("continues after a failed query", async () => {
    let calls = 0;
    const watch = createSequenceWatch({
      readLastSequences: async () => {
        calls += 1;
        if (calls === 1) {
          throw new Error("away");
        }
        return new Map([[1, 1]]);
      },
      log: silent,
      stopping: new AbortController().signal,
    });
    await watch.wait(1, 0, { waitMs: 5_000 });
    expect(calls).to.equal(2);
  });

  it("wakes everyone when the process stops, or one whose signal aborts", async () => {
    const { stopping, watch } = start();
    const gone = new AbortController();
    const startedMs = performance.now();
    const left = watch.wait(1, 0, { waitMs: 20_000, signal: gone.signal });
    const others = [1, 2].map((id) => watch.wait(id, 0, { waitMs: 20_000 }));
    gone.abort();
    await left;
    stopping.abort();
    await Promise.all(others);
    await watch.wait(1, 0, { waitMs: 20_000 });
    expect(performance.now() - startedMs).to.be.below(promised(5_000));
  });
});
