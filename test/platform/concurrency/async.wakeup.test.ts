import { expect } from "chai";
import { createWakeup } from "../../../src/platform/concurrency/async.ts";

describe("a wakeup", () => {
  const hourMs = 3_600_000;
  it("interrupts a wait", async () => {
    const wakeup = createWakeup();
    const waiting = wakeup.wait(hourMs, new AbortController().signal);
    wakeup.wake();
    await waiting;
  });
  it("keeps a wake-up for the next wait, once", async () => {
    const wakeup = createWakeup();
    wakeup.wake();
    wakeup.wake();
    await wakeup.wait(hourMs, new AbortController().signal);
    let hasEnded = false;
    const stop = new AbortController();
    const second = wakeup.wait(hourMs, stop.signal).then(() => (hasEnded = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasEnded).to.equal(false);
    stop.abort();
    await second;
  });
  it("does not wait at all once the signal has fired", async () => {
    const stop = new AbortController();
    stop.abort();
    await createWakeup().wait(hourMs, stop.signal);
  });
});
