import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { openSession, type Session } from "../../../src/platform/db/session.ts";
import { findBinaries } from "../../../src/platform/embedded/binaries.ts";
import {
  DataDirBusyError,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "../../../src/platform/embedded/embedded-postgres.ts";
import { chooseLauncher, chooseServerUser } from "../../../src/platform/embedded/launcher.ts";
import { findServer } from "../../../src/platform/embedded/pid-file.ts";
import { stopPostmaster } from "../../../src/platform/embedded/postmaster.ts";
import { isAlive } from "../../../src/platform/embedded/processes.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";

const log = createLogger("silent", "test");
const settings = { fsync: "off" };
const ownerProgram = fileURLToPath(new URL("../../support/embedded-owner.ts", import.meta.url));
const withTsx = ["--import", import.meta.resolve("tsx")];
const isRoot = process.getuid?.() === 0;

type Told = { url: string; pid: number; isAdopted: boolean; fault?: string };

describe("startEmbeddedPostgres", function () {
  this.timeout(60_000);
  let parent: string;
  let dataDir: string;
  const started: EmbeddedPostgres[] = [];
  const processes: ChildProcess[] = [];

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "sightline-embedded-"));
    await chmod(parent, 0o755);
    dataDir = join(parent, "data");
  });

  afterEach(async () => {
    for (const child of processes.splice(0)) {
      child.kill("SIGKILL");
    }
    for (const postgres of started.splice(0)) {
      await postgres.stop();
    }
    const left = await findServer(join(dataDir, "postgres"), log);
    if (left !== undefined) {
      await stopPostmaster(left.pid);
    }
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (more: { signal?: AbortSignal } = {}): Promise<EmbeddedPostgres> => {
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings, ...more });
    started.push(postgres);
    return postgres;
  };

  const query = async (url: string, sql: string): Promise<unknown[]> => {
    const session: Session = await openSession({ url, maxConnections: 1, name: "test" });
    try {
      return await session.query<object>(sql);
    } finally {
      await session.close();
    }
  };

  const listenTo = async (child: ChildProcess): Promise<Told> => {
    processes.push(child);
    if (child.stdout === null) {
      throw new Error("no output");
    }
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return JSON.parse(line) as Told;
  };

  const spawnOwner = (): ChildProcess =>
    spawn(process.execPath, [...withTsx, ownerProgram, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });

  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };

  const fault = async (work: Promise<unknown>): Promise<Error> => {
    try {
      await work;
    } catch (thrown) {
      return thrown as Error;
    }
    throw new Error("It was expected to fail");
  };

  const modeOf = async (name: string): Promise<number> =>
    (await stat(join(dataDir, name))).mode & 0o777;

  it("makes a database in an empty folder that only the password opens, on 127.0.0.1", async () => {
    const postgres = await start();
    expect(postgres.isNew).to.equal(true);
    expect(postgres.isAdopted).to.equal(false);
    const shown = await query(
      postgres.url,
      `SELECT current_database() AS database, current_setting('listen_addresses') AS addresses,
              current_setting('unix_socket_directories') AS sockets,
              current_setting('max_connections') AS connections,
              current_setting('timezone') AS timezone, current_setting('fsync') AS fsync,
              current_setting('server_encoding') AS encoding, lower('ÄÉ') AS lower,
              (SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid
                WHERE rolname = current_user) AS scram`,
    );
    expect(shown).to.deep.equal([
      {
        database: "sightline",
        addresses: "127.0.0.1",
        sockets: "",
        connections: "200",
        timezone: "UTC",
        fsync: "off",
        encoding: "UTF8",
        lower: "äé",
        scram: true,
      },
    ]);
    const wrong = new URL(postgres.url);
    wrong.password = "another";
    expect(await fault(query(wrong.href, "SELECT 1"))).to.include({ code: "28P01" });
  });

  it("lets nobody else read the password and the data", async () => {
    const postgres = await start();
    const password = (await readFile(join(dataDir, "postgres-password"), "utf8")).trim();
    expect(new URL(postgres.url).password).to.equal(password);
    expect(password).to.match(/^[0-9a-f]{48}$/u);
    expect(await modeOf("postgres-password")).to.equal(0o600);
    expect(await modeOf("postgres")).to.equal(0o700);
    expect(await modeOf("postgres.log")).to.equal(0o600);
    expect((await modeOf(".")) & 0o007).to.equal(0);
    const hba = await readFile(join(dataDir, "postgres", "pg_hba.conf"), "utf8");
    const methods = hba
      .split("\n")
      .flatMap((line) => /^(?:local|host).*\s(\S+)$/u.exec(line)?.[1] ?? []);
    expect(new Set(methods)).to.deep.equal(new Set(["scram-sha-256"]));
  });

  it("keeps the data over a stop, which leaves no process and no draft behind", async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE kept AS SELECT 4711 AS number");
    await first.stop();
    expect(await isAlive(first.pid)).to.equal(false);
    expect((await readdir(dataDir)).toSorted()).to.deep.equal([
      "postgres",
      "postgres-password",
      "postgres.log",
    ]);
    const second = await start();
    expect(second.isNew).to.equal(false);
    expect(await query(second.url, "SELECT number FROM kept")).to.deep.equal([{ number: 4711 }]);
  });

  it("takes over the server that a killed process left running, and stops it in the end", async () => {
    const owner = spawnOwner();
    const told = await listenTo(owner);
    await query(told.url, "CREATE TABLE kept AS SELECT 1 AS number");
    await kill(owner);
    expect(await isAlive(told.pid)).to.equal(true);
    const postgres = await start();
    expect(postgres).to.include({ isAdopted: true, isNew: false, pid: told.pid, url: told.url });
    expect(await query(postgres.url, "SELECT number FROM kept")).to.deep.equal([{ number: 1 }]);
    await postgres.stop();
    expect(await isAlive(told.pid)).to.equal(false);
  });

  it("refuses a folder in use with the holder's process id and leaves the holder alone", async () => {
    const told = await listenTo(spawnOwner());
    const error = await fault(start());
    expect(error).to.be.instanceOf(DataDirBusyError);
    expect(error.message)
      .to.include(dataDir)
      .and.match(/\(process \d+\)/u);
    expect(await query(told.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("does not stop a server it cannot log in to while its holder lives", async () => {
    const told = await listenTo(spawnOwner());
    await writeFile(join(dataDir, "postgres-password"), `${"x".repeat(48)}\n`);
    expect(await fault(start())).to.be.instanceOf(DataDirBusyError);
    expect(await query(told.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("lets one of two starts at the same moment win, on an empty folder too", async () => {
    const both = await Promise.allSettled([start(), start()]);
    const winners = both.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const losers = both.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(winners).to.have.length(1);
    expect(losers[0]).to.be.instanceOf(DataDirBusyError);
    expect(await query(winners[0]?.url ?? "", "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("starts again after everything was killed, over the pid file of the dead server", async () => {
    const owner = spawnOwner();
    const told = await listenTo(owner);
    await query(told.url, "CREATE TABLE kept AS SELECT 1 AS number");
    await kill(owner);
    process.kill(told.pid, "SIGKILL");
    await eventually(async () => !(await isAlive(told.pid)));
    const pidFile = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
    expect(pidFile).to.match(new RegExp(`^${told.pid}\n`, "u"));
    const postgres = await start();
    expect(postgres.isAdopted).to.equal(false);
    expect(await query(postgres.url, "SELECT number FROM kept")).to.deep.equal([{ number: 1 }]);
  });

  it("spares the program that got the process id of a dead server", async () => {
    const first = await start();
    const pidFile = join(dataDir, "postgres", "postmaster.pid");
    const text = await readFile(pidFile, "utf8");
    await first.stop();
    // Of the server's own user: that is the one case that Postgres itself cannot tell.
    const user = await chooseServerUser(join(dataDir, "postgres"));
    const foreign = spawn("sleep", ["600"], { stdio: "ignore", ...user });
    processes.push(foreign);
    await writeFile(pidFile, text.replace(/^\d+/u, String(foreign.pid)));
    const second = await start();
    expect(second.isAdopted).to.equal(false);
    expect(second.pid).not.to.equal(foreign.pid);
    expect(await isAlive(foreign.pid ?? 0)).to.equal(true);
  });

  it("recovers from a first start that was killed in the middle", async () => {
    const owner = spawnOwner();
    processes.push(owner);
    await eventually(
      async () => {
        const draft = (await readdir(dataDir)).find((name) => name.startsWith("postgres.init-"));
        return (await stat(join(dataDir, draft ?? "none", "data", "base"))).isDirectory();
      },
      { timeoutMs: 20_000, everyMs: 2 },
    );
    await kill(owner);
    expect(await readdir(dataDir)).not.to.include("postgres");
    const postgres = await start();
    expect(postgres.isNew).to.equal(true);
    expect(await query(postgres.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    expect((await readdir(dataDir)).filter((name) => name.includes("init"))).to.deep.equal([]);
  });

  it("gives a start up when asked to, and leaves nothing running", async () => {
    const giveUp = new AbortController();
    const failed = fault(start({ signal: giveUp.signal }));
    await eventually(async () => (await readdir(dataDir)).includes("postgres.log"), {
      timeoutMs: 20_000,
      everyMs: 2,
    });
    giveUp.abort();
    expect(await failed).to.include({ name: "AbortError" });
    expect(await findServer(join(dataDir, "postgres"), log)).to.equal(undefined);
    expect((await start()).isNew).to.equal(false);
  });

  it("starts a server that died again, on the same port", async () => {
    const postgres = await start();
    await query(postgres.url, "CREATE TABLE kept AS SELECT 1 AS number");
    const { pid } = postgres;
    process.kill(pid, "SIGKILL");
    const rows = await eventually(async () => query(postgres.url, "SELECT number FROM kept"), {
      timeoutMs: 30_000,
    });
    expect(rows).to.deep.equal([{ number: 1 }]);
    await eventually(() => postgres.pid !== pid, { timeoutMs: 10_000 });
    expect(await fault(start())).to.be.instanceOf(DataDirBusyError);
    await postgres.stop();
    expect(await isAlive(postgres.pid)).to.equal(false);
  });

  it("sets a new password where the file with it was lost, over an orphan as well", async () => {
    const owner = spawnOwner();
    const told = await listenTo(owner);
    await query(told.url, "CREATE TABLE kept AS SELECT 1 AS number");
    await kill(owner);
    await rm(join(dataDir, "postgres-password"));
    const postgres = await start();
    expect(new URL(postgres.url).password).not.to.equal(new URL(told.url).password);
    expect(await query(postgres.url, "SELECT number FROM kept")).to.deep.equal([{ number: 1 }]);
    expect(await isAlive(told.pid)).to.equal(false);
  });

  it("does not touch a folder that holds something else", async () => {
    const file = join(dataDir, "postgres", "letter.txt");
    await mkdir(join(dataDir, "postgres"), { recursive: true });
    await writeFile(file, "Dear");
    const error = await fault(start());
    expect(error).to.be.instanceOf(EmbeddedPostgresError);
    expect(error.message).to.include("holds files, but no Postgres data");
    expect(await readFile(file, "utf8")).to.equal("Dear");
  });

  it("says why the server did not start, with the end of its log", async () => {
    await (await start()).stop();
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "9\n");
    const error = await fault(start());
    expect(error).to.be.instanceOf(EmbeddedPostgresError);
    expect(error.message).to.include("does not start").and.include("PostgreSQL version 9");
  });

  it("empties a log that has grown beyond its bound", async () => {
    await mkdir(dataDir);
    const file = join(dataDir, "postgres.log");
    await writeFile(file, Buffer.alloc(11 * 1024 * 1024, "x\n"));
    await start();
    expect((await stat(file)).size).to.be.within(1, 100_000);
  });

  it("works below a folder that nobody else may enter, with no right but that to read", async () => {
    await chmod(parent, 0o700);
    await mkdir(dataDir, { mode: 0o700 });
    const postgres = await start();
    expect(await query(postgres.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    const { stdout } = await promisify(execFile)("ps", ["-o", "uid=", "-p", String(postgres.pid)]);
    const user = await chooseServerUser(join(dataDir, "postgres"));
    expect(Number(stdout))
      .to.equal(isRoot ? user?.uid : process.getuid?.())
      .and.to.be.above(0);
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${postgres.pid}/status`, "utf8");
      const readOnly = /^CapEff:\s+0{15}[04]$/mu;
      expect(status).to.match(readOnly);
    }
  });

  it("works as an ordinary user", async () => {
    await mkdir(dataDir);
    const binaries = await findBinaries();
    const user = await chooseServerUser(join(dataDir, "postgres"));
    await chmod(dataDir, 0o700);
    if (user !== undefined) {
      await promisify(execFile)("chown", [`${user.uid}:${user.gid}`, dataDir]);
    }
    // Root becomes that user; an ordinary user already is one.
    const launcher = await chooseLauncher({ dataDir, binaries, log }, user);
    const child = launcher.spawn(process.execPath, [...withTsx, ownerProgram, dataDir], {
      output: "pipe",
      detached: false,
    });
    const told = await listenTo(child);
    expect(told.fault).to.equal(undefined);
    expect(await query(told.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    expect((await stat(join(dataDir, "postgres"))).uid).to.equal(user?.uid ?? process.getuid?.());
  });
});
