import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { stopWorkers } from "../../../src/platform/queue/job-workers.ts";

describe("stopping workers", () => {
  it("counts the time until they take no more jobs, which is long while the queue is away", async () => {
    const graces: number[] = [];
    const stop = (graceMs: number): Promise<number> =>
      stopWorkers(
        {
          pause: () => delay(30),
          close: async (leftMs) => void graces.push(leftMs),
        },
        graceMs,
      );
    expect(await stop(1_000)).to.be.within(1, 975);
    expect(await stop(10)).to.equal(0);
    expect(graces).to.have.length(2);
    expect(graces[0]).to.be.within(1, 975);
    expect(graces[1]).to.equal(0);
  });
});
