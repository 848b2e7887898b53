import { expect } from "chai";
import { repeatPass, type PassRun } from "../../../src/pipeline/schedule/schedule.ts";

describe("a pass that fails", () => {
  it("runs again after a second, then after two, although its interval is longer", async () => {
    const stop = new AbortController();
    const startedAt: number[] = [];
    const recorded: PassRun[] = [];
    const warned: unknown[] = [];
    await repeatPass(
      {
        name: "make-partitions",
        everyMs: 600_000,
        run: async () => {
          startedAt.push(performance.now());
          if (startedAt.length < 3) {
            throw new Error(`fault ${startedAt.length}`);
          }
          stop.abort();
        },
      },
      {
        log: { warn: (entry: unknown) => void warned.push(entry) } as never,
        heartbeats: { register: () => undefined, record: (run) => void recorded.push(run) },
      },
      stop.signal,
    );
    const [first = 0, second = 0, third = 0] = startedAt;
    expect(second - first).to.be.within(990, 10_000);
    expect(third - second).to.be.within(1_990, 20_000);
    expect(recorded.map(({ reason }) => reason)).to.deep.equal(["fault 1", "fault 2", null]);
    expect(warned).to.have.length(2);
  });

  it("runs at its interval at the latest", async () => {
    const stop = new AbortController();
    const startedAt = performance.now();
    let runs = 0;
    await repeatPass(
      {
        name: "due",
        everyMs: 20,
        run: async () => {
          runs += 1;
          if (runs === 20) {
            stop.abort();
          }
          throw new Error("fault");
        },
      },
      {
        log: { warn: () => undefined } as never,
        heartbeats: { register: () => undefined, record: () => undefined },
      },
      stop.signal,
    );
    expect(performance.now() - startedAt).to.be.below(10_000);
  });
});
