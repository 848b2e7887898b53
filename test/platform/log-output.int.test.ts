import { expect } from "chai";
import { buildSync } from "esbuild";
import { execFileSync, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { createLogOutput, printTo } from "../../src/platform/log-output.ts";
import { errorCodeOf } from "../../src/platform/errors.ts";
import { eventually } from "../support/eventually.ts";

describe("the output of a process's log", () => {
  const open: number[] = [];
  const openFile = (path: string, flags: string | number): number => {
    const fd = openSync(path, flags);
    open.push(fd);
    return fd;
  };
  afterEach(() => open.splice(0).forEach((fd) => closeSync(fd)));

  /** A pipe that does not block, and what can be read from it now. */
  const aPipe = () => {
    const path = join(tmpdir(), `sightline-log-${process.pid}`);
    execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', path]);
    const fd = openFile(path, constants.O_RDWR | constants.O_NONBLOCK);
    rmSync(path);
    const buffer = Buffer.alloc(65_536);
    const readNow = (bytes = buffer.length): string => {
      try {
        return buffer.toString("utf8", 0, readSync(fd, buffer, 0, bytes, null));
      } catch (thrown) {
        expect(errorCodeOf(thrown)).to.equal("EAGAIN");
        return "";
      }
    };
    return { fd, readNow };
  };
  const linesOf = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${String(index).padStart(99, ".")}\n`);

  it("waits for a slow reader, and keeps the order", async () => {
    const { fd, readNow } = aPipe();
    const lines = linesOf(5_000);
    const output = createLogOutput({ fd });
    lines.forEach((line) => output.write(line));
    let read = "";
    await eventually(() => {
      read += readNow();
      expect(read.length).to.equal(lines.join("").length);
    });
    expect(read).to.equal(lines.join(""));
  });

  it("waits for a reader that is a moment late, and not longer", async () => {
    const { fd, readNow } = aPipe();
    const text = linesOf(10_000).join("");
    createLogOutput({ fd }).write(text);
    const startedAtMs = performance.now();
    let read = 0;
    let fills = 0;
    while (read < text.length) {
      await delay(2); // so that each read finds a full pipe
      const { length } = readNow();
      read += length;
      fills += length > 0 ? 1 : 0;
    }
    expect(fills).to.be.greaterThan(15);
    expect((performance.now() - startedAtMs) / fills).to.be.lessThan(25);
  });

  it("drops what exceeds a megabyte, and says how much once it can write again", async () => {
    const { fd, readNow } = aPipe();
    const lost: number[] = [];
    const output = createLogOutput({ fd, onLost: (count) => lost.push(count) });
    const lines = linesOf(12_000);
    lines.forEach((line) => output.write(line));
    let read = "";
    await eventually(() => {
      read += readNow();
      expect(lost).to.deep.equal([12_000 - 10_485]);
      expect(read).to.include(lines[10_484]);
    });
    expect(read).not.to.include(lines[10_485]);
  });

  it("does not wait to print where nothing can be written", () => {
    printTo(openFile("/dev/full", "w"), "A message\n");
  });

  const run = (file: string, stdio: StdioOptions) =>
    spawn(process.execPath, ["--import", "tsx", file], {
      stdio,
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
    });

  it("does not keep a process from ending if the disk is full", async function () {
    this.timeout(30_000);
    const full = openFile("/dev/full", "w");
    const child = run("workers/relay.ts", ["ignore", full, full]);
    expect((await once(child, "exit"))[0]).to.equal(2);
  });

  it("does not keep a process from ending if nobody reads", async function () {
    this.timeout(30_000);
    const child = run("workers/relay.ts", ["ignore", "pipe", "pipe"]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect((await once(child, "exit"))[0]).to.equal(2);
  });

  it("loses no line and cuts none when a process ends during a write", async function () {
    this.timeout(30_000);
    const child = run("test/support/log-burst.ts", ["ignore", "pipe", "inherit"]);
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) {
      lines.push((JSON.parse(line) as { msg: string }).msg);
    }
    expect(lines).to.have.length(2_001);
    expect(lines.at(-1)).to.equal("test.ended");
  });

  it("cuts no line and keeps the last one when a process ends and its reader is slow", async function () {
    this.timeout(30_000);
    const { fd, readNow } = aPipe();
    // Its own end: Node makes the descriptors of a process block again when it ends.
    const end = openFile(`/proc/self/fd/${fd}`, constants.O_WRONLY);
    const child = run("test/support/log-burst.ts", ["ignore", end, "inherit"]);
    const ended = once(child, "exit");
    let read = "";
    const timer = setInterval(() => {
      read += readNow(8_192);
    }, 100);
    await ended;
    clearInterval(timer);
    for (let rest = readNow(); rest !== ""; rest = readNow()) {
      read += rest;
    }
    const lines = read.trimEnd().split("\n");
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.length).to.be.lessThan(2_001, "the reader is slow enough");
    expect(messages.at(-1)).to.equal("test.ended");
  });

  it("does not keep a process from ending if the reader of a pipe that blocks hangs", async function () {
    this.timeout(30_000);
    const path = join(tmpdir(), `sightline-log-blocking-${process.pid}`);
    execFileSync("/bin/sh", ["-c", 'mkfifo "$0"', path]);
    const full = openFile(path, constants.O_RDWR);
    rmSync(path);
    // Built as a program is: the loader of the tests opens the streams, so that nothing blocks.
    const contents = `import { createLogOutput, endProcess } from "./src/platform/log-output.ts";
      createLogOutput({ fd: 1 }).write("x".repeat(1_000_000));
      // The write begins in the first of the two.
      setImmediate(() => setImmediate(() => void endProcess(0)));`;
    const [built] = buildSync({
      stdin: { contents, resolveDir: process.cwd() },
      ...{ bundle: true, write: false, platform: "node", format: "esm" },
    }).outputFiles;
    const child = spawn(process.execPath, ["--input-type=module", "-e", built!.text], {
      stdio: ["ignore", full, "inherit"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
    expect(await once(child, "exit")).to.deep.equal([0, null]);
    clearTimeout(timer);
  });

  it("does not end a process if the disk is full", async function () {
    this.timeout(30_000);
    const full = openFile("/dev/full", "w");
    const child = run("test/support/log-process.ts", ["ignore", full, full, "ipc"]);
    await once(child, "message"); // it is ready
    for (const number of [1, 2, 3]) {
      child.send(number);
      expect((await once(child, "message"))[0]).to.deep.equal({ answer: number });
    }
    child.kill("SIGTERM");
    expect((await once(child, "exit"))[0]).to.equal(0);
  });
});
