import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { recordingLog, runLifecycle } from "../support/lifecycle.ts";

describe("the stop of a process", () => {
  it("stops all work at once, so that each part has the whole time, and then the resources", async () => {
    const begun: string[] = [];
    const closed: string[] = [];
    const { codes, ended, send } = runLifecycle(async ({ onStop, configure }) => {
      configure({ log: recordingLog([]), graceMs: 1_000 });
      const finish = (name: string) => async (): Promise<void> => {
        begun.push(name);
        await eventually(() => begun.length === 2);
        closed.push(name);
      };
      onStop("worker", finish("worker"), "work");
      onStop("files", async () => void closed.push("files"));
      onStop("server", finish("server"), "work");
    });
    await new Promise(setImmediate);
    send("SIGTERM");
    await ended;
    expect(begun).to.deep.equal(["server", "worker"]);
    expect(closed.at(-1)).to.equal("files");
    expect(closed).to.have.members(["server", "worker", "files"]);
    expect(codes).to.deep.equal([0]);
  });

  it("tells each part how long it has, which is less than its time limit", async () => {
    const left: number[] = [];
    const { codes, ended, send, pass } = runLifecycle(async ({ onStop, configure }) => {
      configure({ log: recordingLog([]), graceMs: 20_000 });
      const takeMs = (ms: number) => async (leftMs: number) => {
        left.push(leftMs);
        pass(ms);
      };
      onStop("pool", takeMs(0));
      onStop("files", takeMs(8_000));
      onStop("server", takeMs(12_000), "work");
    });
    await new Promise(setImmediate);
    send("SIGTERM");
    await ended;
    expect(left).to.deep.equal([18_000, 6_000, 750]);
    expect(codes).to.deep.equal([0]);
  });
});
