import { expect } from "chai";
import { createRunningWork } from "../../../src/platform/concurrency/running-work.ts";

describe("running work", () => {
  it("is waited for, with what starts during the wait, and whether it fails or not", async () => {
    const running = createRunningWork();
    const ended: string[] = [];
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => (start = resolve));
    const second = async (): Promise<void> => {
      await new Promise(setImmediate);
      ended.push("second");
      throw new Error("second");
    };
    const first = running.track(
      started.then(() => {
        running.track(second()).catch(() => undefined);
        ended.push("first");
      }),
    );
    const drained = running.drain().then(() => ended.push("drained"));
    start();
    await Promise.all([first, drained]);
    expect(ended).to.deep.equal(["first", "second", "drained"]);
    await running.drain();
  });
});
