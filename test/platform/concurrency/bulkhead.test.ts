import { expect } from "chai";
import { createBulkhead } from "../../../src/platform/concurrency/bulkhead.ts";
import { eventually } from "../../support/eventually.ts";

/** Work that ends on demand. */
function someWork() {
  let end = (): void => undefined;
  let hasStarted = false;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    run: async () => {
      hasStarted = true;
      await over;
    },
    end: () => end(),
    hasStarted: () => hasStarted,
  };
}

describe("a bulkhead", () => {
  const jobs = (count: number) => Array.from({ length: count }, someWork);
  const started = (all: readonly ReturnType<typeof someWork>[]): boolean[] =>
    all.map((job) => job.hasStarted());

  it("runs up to its capacity, and the next one when one ends", async () => {
    const bulkhead = createBulkhead({ capacity: 2, most: 10, overflowAfterMs: 60_000 });
    const all = jobs(3);
    const running = all.map((job) => bulkhead.run(job.run));
    expect(started(all)).to.deep.equal([true, true, false]);
    expect(bulkhead.counts()).to.deep.equal({ held: 2, inOverflow: 0, waiting: 1 });
    all[0]!.end();
    await running[0];
    await eventually(() => expect(started(all)).to.deep.equal([true, true, true]));
    all.forEach((job) => job.end());
    await Promise.all(running);
    expect(bulkhead.counts()).to.deep.equal({ held: 0, inOverflow: 0, waiting: 0 });
  });

  it("gives the slot of slow work to others, and lets the slow work continue", async () => {
    const bulkhead = createBulkhead({ capacity: 1, most: 10, overflowAfterMs: 20 });
    const [slow, quick] = jobs(2) as [ReturnType<typeof someWork>, ReturnType<typeof someWork>];
    const slowRun = bulkhead.run(slow.run);
    const quickRun = bulkhead.run(quick.run);
    expect(quick.hasStarted()).to.equal(false);
    await eventually(() => expect(quick.hasStarted()).to.equal(true));
    expect(bulkhead.counts().inOverflow).to.be.greaterThan(0);
    quick.end();
    await quickRun;
    slow.end();
    await slowRun;
    expect(bulkhead.counts()).to.deep.equal({ held: 0, inOverflow: 0, waiting: 0 });
  });

  it("runs no more than its limit, those in the overflow included", async () => {
    const bulkhead = createBulkhead({ capacity: 1, most: 2, overflowAfterMs: 20 });
    const all = jobs(3);
    const running = all.map((job) => bulkhead.run(job.run));
    await eventually(() =>
      expect(bulkhead.counts()).to.deep.equal({ held: 0, inOverflow: 2, waiting: 1 }),
    );
    expect(started(all)).to.deep.equal([true, true, false]);
    all[0]!.end();
    await running[0];
    await eventually(() => expect(started(all)).to.deep.equal([true, true, true]));
    all.forEach((job) => job.end());
    await Promise.all(running);
    expect(bulkhead.counts()).to.deep.equal({ held: 0, inOverflow: 0, waiting: 0 });
  });

  it("abandons work that waits too long, and runs the next one instead", async () => {
    const bulkhead = createBulkhead({ capacity: 1, most: 10, overflowAfterMs: 60_000 });
    const [first, late, next] = jobs(3);
    const running = bulkhead.run(first!.run);
    const abandoned: string[] = [];
    await bulkhead.run(late!.run, {
      maxWaitMs: 10,
      giveUp: async () => void abandoned.push("late"),
    });
    expect([abandoned, late!.hasStarted()]).to.deep.equal([["late"], false]);
    const following = bulkhead.run(next!.run, {
      maxWaitMs: 60_000,
      giveUp: async () => void abandoned.push("next"),
    });
    first!.end();
    await running;
    next!.end();
    await following;
    expect(abandoned).to.deep.equal(["late"]);
    expect(bulkhead.counts()).to.deep.equal({ held: 0, inOverflow: 0, waiting: 0 });
  });

  it("releases the slot when the work throws, and passes the error on", async () => {
    const bulkhead = createBulkhead({ capacity: 1, most: 10, overflowAfterMs: 60_000 });
    const fault = new Error("broken");
    const caught = await bulkhead
      .run(() => Promise.reject(fault))
      .catch((thrown: unknown) => thrown);
    expect(caught).to.equal(fault);
    expect(bulkhead.counts().held).to.equal(0);
  });
});
