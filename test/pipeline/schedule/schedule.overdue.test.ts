import { expect } from "chai";
import { watchPasses } from "../../../src/pipeline/schedule/schedule.ts";
import { createMetrics } from "../../../src/platform/metrics.ts";

describe("the gauge of overdue passes", () => {
  it("grows while a pass has no success, by what exceeds its interval", async () => {
    const metrics = createMetrics();
    let nowMs = 0;
    let fault: Error | undefined = new Error("no room");
    const run = async (): Promise<void> => {
      if (fault !== undefined) {
        throw fault;
      }
    };
    const [pass] = watchPasses([{ name: "sweep", everyMs: 60_000, run }], metrics, () => nowMs);
    const overdue = async (): Promise<string | undefined> =>
      /^schedule_pass_overdue_seconds\{pass="sweep"\} (.+)$/mu.exec(
        (await metrics.render()).text,
      )?.[1];
    nowMs = 60_000;
    expect(await overdue()).to.equal("0");
    const thrown: unknown = await pass?.run(() => undefined).catch((error: unknown) => error);
    expect(thrown).to.equal(fault);
    nowMs = 90_000;
    expect(await overdue()).to.equal("30");
    fault = undefined;
    await pass?.run(() => undefined);
    expect(await overdue()).to.equal("0");
    nowMs = 151_000;
    expect(await overdue()).to.equal("1");
  });
});
