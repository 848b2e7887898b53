import { expect } from "chai";
import { createSnapshotReader, type PlatformSnapshot } from "../../src/operations/snapshot.ts";
import { systemClock } from "../../src/platform/clock.ts";

describe("the platform snapshot", () => {
  let snapshots: { give: () => void; fail: () => void }[];
  let nowMs: number;
  let readSnapshot: () => Promise<PlatformSnapshot>;
  beforeEach(() => {
    [snapshots, nowMs] = [[], 0];
    const readings = {
      deliveryQueue: async () => ({}),
      taskQueue: async () => ({}),
      tasks: async () => ({}),
      passes: async () => [],
      pipeline: () =>
        new Promise((resolve, reject) => {
          snapshots.push({ give: () => resolve({}), fail: () => reject(new Error("away")) });
        }),
    };
    readSnapshot = createSnapshotReader({
      readings: readings as never,
      clock: systemClock,
      nowMs: () => nowMs,
    });
  });

  it("shares a running read", async () => {
    const first = readSnapshot();
    nowMs += 60_000;
    const second = readSnapshot();
    expect(snapshots).to.have.length(1);
    snapshots[0]?.give();
    expect(await second).to.equal(await first);
  });

  it("is cached for two seconds from its end", async () => {
    const first = readSnapshot();
    nowMs += 5_000;
    snapshots[0]?.give();
    await first;
    nowMs += 1_999;
    expect(await readSnapshot()).to.equal(await first);
    nowMs += 1;
    const next = readSnapshot();
    expect(snapshots).to.have.length(2);
    snapshots[1]?.give();
    expect(await next).to.not.equal(await first);
  });

  it("is read again by the next caller after a failure", async () => {
    const first = readSnapshot();
    snapshots[0]?.fail();
    expect(await first.catch((thrown: Error) => thrown.message)).to.equal("away");
    const next = readSnapshot();
    snapshots[1]?.give();
    expect((await next).passes).to.deep.equal([]);
  });
});
