import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { findServer } from "../../../src/embedded/postgres/postmaster.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";

const log = createLogger("silent", "test");

describe("findServer", () => {
  let dir: string;
  let server: ChildProcess;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "sightline-pid-file-"));
    server = spawn("sleep", ["600"], { cwd: dir, argv0: "postgres", stdio: "ignore" });
    await once(server, "spawn");
  });

  afterEach(async () => {
    server.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  });

  const write = async (text: string): Promise<void> => writeFile(join(dir, "postmaster.pid"), text);
  const content = (pid: number | undefined, port = "54321"): string =>
    [pid, dir, "1795200000", port, "", "127.0.0.1", "", "ready", ""].join("\n");

  it("finds nothing in a folder without a server", async () => {
    expect(await findServer(dir, log)).to.equal(undefined);
  });

  it("reads pid and port of a running server, and of one that has just started", async () => {
    await write(content(server.pid));
    const { pid } = server;
    await eventually(async () => {
      expect(await findServer(dir, log)).to.deep.equal({ pid, port: 54_321 });
    });
    await write(`${pid}\n${dir}\n`);
    expect(await findServer(dir, log)).to.deep.equal({ pid, port: undefined });
    await write(content(-(pid ?? 0), ""));
    expect(await findServer(dir, log)).to.deep.equal({ pid, port: undefined });
  });

  it("leaves the file of a crashed server to Postgres, which checks for old backends first", async () => {
    server.kill("SIGKILL");
    await once(server, "exit");
    await write(content(server.pid));
    expect(await findServer(dir, log)).to.equal(undefined);
    expect(await readdir(dir)).to.deep.equal(["postmaster.pid"]);
  });

  it("removes a file whose pid belongs to another program", async () => {
    await write(content(process.pid));
    expect(await findServer(dir, log)).to.equal(undefined);
    expect(await readdir(dir)).to.deep.equal([]);
  });

  for (const text of ["", "\n", "no number\n"]) {
    it(`removes an empty file once it is not recent: ${JSON.stringify(text)}`, async () => {
      await write(text);
      expect(await findServer(dir, log)).to.equal(undefined);
      expect(await readdir(dir)).to.deep.equal(["postmaster.pid"]);
      const before = new Date(Date.now() - 60_000);
      await utimes(join(dir, "postmaster.pid"), before, before);
      expect(await findServer(dir, log)).to.equal(undefined);
      expect(await readdir(dir)).to.deep.equal([]);
    });
  }
});
