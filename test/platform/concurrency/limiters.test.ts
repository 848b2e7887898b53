import { setImmediate as tick } from "node:timers/promises";
import { expect } from "chai";
import { createSemaphore } from "../../../src/platform/concurrency/limiters.ts";

describe("a semaphore", () => {
  it("runs as many as it has permits, and the next ones in order of arrival", async () => {
    const semaphore = createSemaphore(2);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const runs = ["a", "b", "c", "d"].map((name) =>
      semaphore.run(async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await tick();
    expect(started).to.deep.equal(["a", "b"]);
    for (const expected of [
      ["a", "b", "c"],
      ["a", "b", "c", "d"],
    ]) {
      ends.shift()?.();
      await tick();
      expect(started).to.deep.equal(expected);
    }
    ends.forEach((end) => end());
    await Promise.all(runs);
    expect([1, 2, 3].map(() => semaphore.tryAcquire())).to.deep.equal([true, true, false]);
  });

  it("returns the permit when the work throws", async () => {
    const semaphore = createSemaphore(1);
    const error = new Error("broken");
    const thrown = await semaphore.run(() => Promise.reject(error)).catch((each: unknown) => each);
    expect(thrown).to.equal(error);
    expect(semaphore.tryAcquire()).to.equal(true);
  });

  it("stops waiting after the time-out or at the signal, and passes the permit on", async () => {
    const semaphore = createSemaphore(1);
    const controller = new AbortController();
    semaphore.tryAcquire();
    expect(await semaphore.acquire({ timeoutMs: 1 })).to.equal(false);
    const aborted = semaphore.acquire({ signal: controller.signal });
    const patient = semaphore.acquire();
    controller.abort();
    expect(await aborted).to.equal(false);
    semaphore.release();
    expect(await patient).to.equal(true);
    semaphore.release();
    expect(await semaphore.acquire({ signal: controller.signal })).to.equal(false);
    expect(semaphore.tryAcquire()).to.equal(true);
  });
});
