import { spawn } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { DataDirBusyError, isAlive } from "../../../src/embedded/postgres/processes.ts";
import { chooseServerUser } from "../../../src/embedded/postgres/launcher.ts";
import { findServer } from "../../../src/embedded/postgres/postmaster.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { killHard, queryOnce, useDataFolder } from "../../support/data-folder.ts";
import { eventually } from "../../support/eventually.ts";

const log = createLogger("silent", "test");

async function faultOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error("It was expected to fail");
}

describe("startEmbeddedPostgres after a crash", function () {
  this.timeout(60_000);
  const folder = useDataFolder();

  it("adopts the server that a killed process left running, and stops it at the end", async () => {
    const owner = folder.spawnOwner();
    const ready = await folder.listenTo(owner);
    await queryOnce(ready.url, "CREATE TABLE kept AS SELECT 1 AS number");
    await killHard(owner);
    expect(await isAlive(ready.pid)).to.equal(true);
    const postgres = await folder.start();
    expect(postgres).to.include({ isAdopted: true, isNew: false, pid: ready.pid, url: ready.url });
    expect(await queryOnce(postgres.url, "SELECT number FROM kept")).to.deep.equal([{ number: 1 }]);
    await postgres.stop();
    expect(await isAlive(ready.pid)).to.equal(false);
  });

  it("does not stop a server it cannot log in to while its owner is running", async () => {
    const report = await folder.listenTo(folder.spawnOwner());
    await writeFile(join(folder.dataDir, "postgres-password"), `${"x".repeat(48)}\n`);
    expect(await faultOf(folder.start())).to.be.instanceOf(DataDirBusyError);
    expect(await queryOnce(report.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("starts after all processes were killed, despite the pid file of the dead server", async () => {
    const owner = folder.spawnOwner();
    const output = await folder.listenTo(owner);
    await queryOnce(output.url, "CREATE TABLE kept AS SELECT 1 AS number");
    await killHard(owner);
    process.kill(output.pid, "SIGKILL");
    await eventually(async () => !(await isAlive(output.pid)));
    const pidFile = await readFile(join(folder.clusterDir, "postmaster.pid"), "utf8");
    expect(pidFile).to.match(new RegExp(`^${output.pid}\n`, "u"));
    const postgres = await folder.start();
    expect(postgres.isAdopted).to.equal(false);
    expect(await queryOnce(postgres.url, "SELECT number FROM kept")).to.deep.equal([{ number: 1 }]);
  });

  it("does not kill a program that got the pid of a dead server", async () => {
    const first = await folder.start();
    const pidFile = join(folder.clusterDir, "postmaster.pid");
    const text = await readFile(pidFile, "utf8");
    await first.stop();
    // As the server's user: the only case that Postgres itself cannot detect.
    const user = await chooseServerUser(folder.clusterDir);
    const foreign = spawn("sleep", ["600"], { stdio: "ignore", ...user });
    folder.killAfterwards(foreign);
    await writeFile(pidFile, text.replace(/^\d+/u, String(foreign.pid)));
    const second = await folder.start();
    expect(second.isAdopted).to.equal(false);
    expect(second.pid).not.to.equal(foreign.pid);
    expect(await isAlive(foreign.pid ?? 0)).to.equal(true);
  });

  it("recovers from an interrupted first start", async () => {
    const owner = folder.spawnOwner();
    folder.killAfterwards(owner);
    await eventually(
      async () => {
        const draft = (await readdir(folder.dataDir)).find((name) =>
          name.startsWith("postgres.init-"),
        );
        return (await stat(join(folder.dataDir, draft ?? "none", "data", "base"))).isDirectory();
      },
      { timeoutMs: 20_000, everyMs: 2 },
    );
    await killHard(owner);
    expect(await readdir(folder.dataDir)).not.to.include("postgres");
    const postgres = await folder.start();
    expect(postgres.isNew).to.equal(true);
    expect(await queryOnce(postgres.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    expect((await readdir(folder.dataDir)).filter((name) => name.includes("init"))).to.deep.equal(
      [],
    );
  });

  it("cancels a start, and leaves nothing running", async () => {
    const giveUp = new AbortController();
    const failed = faultOf(folder.start({ signal: giveUp.signal }));
    await eventually(async () => (await readdir(folder.dataDir)).includes("postgres.log"), {
      timeoutMs: 20_000,
      everyMs: 2,
    });
    giveUp.abort();
    expect(await failed).to.include({ name: "AbortError" });
    expect(await findServer(folder.clusterDir, log)).to.equal(undefined);
    expect((await folder.start()).isNew).to.equal(false);
  });

  it("restarts a crashed server, on the same port", async () => {
    const postgres = await folder.start();
    await queryOnce(postgres.url, "CREATE TABLE kept AS SELECT 1 AS number");
    const { pid } = postgres;
    process.kill(pid, "SIGKILL");
    const rows = await eventually(async () => queryOnce(postgres.url, "SELECT number FROM kept"), {
      timeoutMs: 30_000,
    });
    expect(rows).to.deep.equal([{ number: 1 }]);
    await eventually(() => postgres.pid !== pid, { timeoutMs: 10_000 });
    expect(await faultOf(folder.start())).to.be.instanceOf(DataDirBusyError);
    await postgres.stop();
    expect(await isAlive(postgres.pid)).to.equal(false);
  });

  it("names the password file when the server does not accept it, and stops no orphan", async () => {
    const owner = folder.spawnOwner();
    const reported = await folder.listenTo(owner);
    await killHard(owner);
    const file = join(folder.dataDir, "postgres-password");
    const password = await readFile(file, "utf8");
    await rm(file);
    const error = await faultOf(folder.start());
    expect(error.message).to.include("postgres-password").and.include(String(reported.pid));
    expect(await isAlive(reported.pid)).to.equal(true);
    await writeFile(file, password);
    expect(await folder.start()).to.include({ isAdopted: true, pid: reported.pid });
  });
});
