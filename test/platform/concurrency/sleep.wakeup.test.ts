import { expect } from "chai";
import { createWakeup } from "../../../src/platform/concurrency/sleep.ts";

describe("an alarm", () => {
  const hourMs = 3_600_000;
  it("cuts a wait short", async () => {
    const alarm = createWakeup();
    const waiting = alarm.wait(hourMs, new AbortController().signal);
    alarm.wake();
    await waiting;
  });
  it("keeps a ring for the next wait, once", async () => {
    const alarm = createWakeup();
    alarm.wake();
    alarm.wake();
    await alarm.wait(hourMs, new AbortController().signal);
    let isOver = false;
    const stop = new AbortController();
    const second = alarm.wait(hourMs, stop.signal).then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).to.equal(false);
    stop.abort();
    await second;
  });
  it("does not wait at all once the signal has fired", async () => {
    const stop = new AbortController();
    stop.abort();
    await createWakeup().wait(hourMs, stop.signal);
  });
});
