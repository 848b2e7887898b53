import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import {
  isAlive,
  isPidTaken,
  isPostgresOf,
  signalProcess,
  waitUntilGone,
} from "../../../src/embedded/postgres/processes.ts";
import { eventually } from "../../support/eventually.ts";

describe("processes", () => {
  let dir: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-processes-"));
  });

  afterEach(async () => {
    children.splice(0).forEach((child) => child.kill("SIGKILL"));
    await rm(dir, { recursive: true, force: true });
  });

  const run = (
    file: string,
    args: readonly string[],
    argv0 = file,
  ): ChildProcess & { pid: number } => {
    const child = spawn(file, args, { cwd: dir, argv0, stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    if (child.pid === undefined) {
      throw new Error(`${file} was not started`);
    }
    return child as ChildProcess & { pid: number };
  };

  it("counts a zombie as dead, though its pid is taken", async function () {
    if (process.platform !== "linux") {
      // On other systems launchd reaps orphans, so this only tests a process that has ended.
      const child = run("sleep", ["600"]);
      child.kill("SIGKILL");
      await eventually(async () => !(await isAlive(child.pid)));
      return;
    }
    // The shell replaces itself by a program that never reaps its child.
    const parent = run("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 600"]);
    const [line] = (await once(
      createInterface(parent.stdout as NodeJS.ReadableStream),
      "line",
    )) as [string];
    const pid = Number(line);
    await eventually(async () => !(await isAlive(pid)));
    expect(isPidTaken(pid)).to.equal(true);
    expect(await waitUntilGone(pid, 0)).to.equal(true);
  });

  it("waits for a process up to its limit", async () => {
    const { pid } = run("sleep", ["600"]);
    expect(await waitUntilGone(pid, 30)).to.equal(false);
    signalProcess(pid, "SIGKILL");
    expect(await waitUntilGone(pid, 5_000)).to.equal(true);
  });

  it("does not take another program in the folder for its server", async () => {
    const { pid } = run("sleep", ["600"]);
    expect(await isPostgresOf(pid, dir)).to.equal(false);
    expect(await isPostgresOf(process.pid, process.cwd())).to.equal(false);
  });

  it("rejects the server of another folder, even if the pid file was copied here", async () => {
    const other = await mkdtemp(join(tmpdir(), "sightline-processes-"));
    try {
      // A stand-in: any process in the folder whose command is named postgres.
      const { pid } = run("sleep", ["600"], "/some/where/bin/postgres");
      await eventually(async () => isPostgresOf(pid, dir));
      expect(await isPostgresOf(pid, other)).to.equal(false);
    } finally {
      await rm(other, { recursive: true });
    }
  });
});
