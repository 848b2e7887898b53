import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { isRunning } from "../support/child-processes.ts";
import { eventually } from "../support/eventually.ts";
import { endlessRecording } from "../support/media.ts";

/** Starts the process with the job, tells its id, and lives until it is killed. */
const parentScript = `
  process.once("message", (job) => {
    const options = { execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] };
    const child = require("node:child_process").fork("bin/program.js", ["remux-process"], options);
    child.send({ ...job, parentPid: process.pid });
    process.send(child.pid);
  });`;

describe("remux process", function () {
  this.timeout(120_000);
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sightline-test-remux-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it("ends with its parent, even when it is busy for ever", async () => {
    const from = join(folder, "chunks");
    const to = join(folder, "file");
    const script = join(folder, "parent.cjs");
    await writeFile(from, await endlessRecording());
    await writeFile(script, parentScript);
    const parent = fork(script, { execArgv: [] });
    const started = once(parent, "message");
    parent.send({ from, to, type: "video/webm", memoryMiB: 256 });
    const [id] = (await started) as [number];
    await eventually(async () => expect((await stat(to)).isFile()).to.equal(true), {
      timeoutMs: 30_000,
    });
    parent.kill("SIGKILL");
    await eventually(async () => expect(await isRunning(id)).to.equal(false), {
      timeoutMs: 10_000,
    });
  });
});
