import { expect } from "chai";
import { createBulkhead } from "../../../src/platform/concurrency/bulkhead.ts";
import { eventually } from "../../support/eventually.ts";

/** Work that ends when the test says so. */
function someWork() {
  let end = (): void => undefined;
  let hasBegun = false;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    run: async () => {
      hasBegun = true;
      await over;
    },
    end: () => end(),
    hasBegun: () => hasBegun,
  };
}

describe("places", () => {
  const jobs = (count: number) => Array.from({ length: count }, someWork);
  const begun = (all: readonly ReturnType<typeof someWork>[]): boolean[] =>
    all.map((job) => job.hasBegun());

  it("lets so many work at once, and the next one in where one ends", async () => {
    const places = createBulkhead({ capacity: 2, overflowAfterMs: 60_000 });
    const all = jobs(3);
    const running = all.map((job) => places.run(job.run));
    expect(begun(all)).to.deep.equal([true, true, false]);
    expect(places.counts()).to.deep.equal({ held: 2, parked: 0, waiting: 1 });
    all[0]!.end();
    await running[0];
    await eventually(() => expect(begun(all)).to.deep.equal([true, true, true]));
    all.forEach((job) => job.end());
    await Promise.all(running);
    expect(places.counts()).to.deep.equal({ held: 0, parked: 0, waiting: 0 });
  });

  it("gives the place of slow work to others, and lets it go on", async () => {
    const places = createBulkhead({ capacity: 1, overflowAfterMs: 20 });
    const [slow, quick] = jobs(2) as [ReturnType<typeof someWork>, ReturnType<typeof someWork>];
    const slowRun = places.run(slow.run);
    const quickRun = places.run(quick.run);
    expect(quick.hasBegun()).to.equal(false);
    await eventually(() => expect(quick.hasBegun()).to.equal(true));
    expect(places.counts().parked).to.be.greaterThan(0);
    quick.end();
    await quickRun;
    slow.end();
    await slowRun;
    expect(places.counts()).to.deep.equal({ held: 0, parked: 0, waiting: 0 });
  });

  it("gives a place back when the work throws, and passes the error on", async () => {
    const places = createBulkhead({ capacity: 1, overflowAfterMs: 60_000 });
    const fault = new Error("broken");
    const caught = await places.run(() => Promise.reject(fault)).catch((thrown: unknown) => thrown);
    expect(caught).to.equal(fault);
    expect(places.counts().held).to.equal(0);
  });
});
