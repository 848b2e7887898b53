import { expect } from "chai";
import { createSnapshotReader, type PlatformSnapshot } from "../../src/operations/snapshot.ts";
import { systemClock } from "../../src/platform/clock.ts";

describe("the platform snapshot", () => {
  let looks: { give: () => void; fail: () => void }[];
  let nowMs: number;
  let look: () => Promise<PlatformSnapshot>;
  beforeEach(() => {
    [looks, nowMs] = [[], 0];
    const readings = {
      deliveryQueue: async () => ({}),
      taskQueue: async () => ({}),
      tasks: async () => ({}),
      passes: async () => [],
      pipeline: () =>
        new Promise((resolve, reject) => {
          looks.push({ give: () => resolve({}), fail: () => reject(new Error("away")) });
        }),
    };
    look = createSnapshotReader({
      readings: readings as never,
      clock: systemClock,
      nowMs: () => nowMs,
    });
  });

  it("shares a running read", async () => {
    const first = look();
    nowMs += 60_000;
    const second = look();
    expect(looks).to.have.length(1);
    looks[0]?.give();
    expect(await second).to.equal(await first);
  });

  it("is cached for two seconds from its end", async () => {
    const first = look();
    nowMs += 5_000;
    looks[0]?.give();
    await first;
    nowMs += 1_999;
    expect(await look()).to.equal(await first);
    nowMs += 1;
    const next = look();
    expect(looks).to.have.length(2);
    looks[1]?.give();
    expect(await next).to.not.equal(await first);
  });

  it("is read again by the next caller after a failure", async () => {
    const first = look();
    looks[0]?.fail();
    expect(await first.catch((thrown: Error) => thrown.message)).to.equal("away");
    const next = look();
    looks[1]?.give();
    expect((await next).passes).to.deep.equal([]);
  });
});
