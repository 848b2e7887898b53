import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import {
  chooseLauncher,
  chooseServerUser,
  findBinaries,
} from "../../../src/embedded/postgres/launcher.ts";
import {
  DataDirBusyError,
  EmbeddedPostgresError,
  isAlive,
} from "../../../src/embedded/postgres/processes.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { queryOnce, useDataFolder } from "../../support/data-folder.ts";

const isRoot = process.getuid?.() === 0;
const log = createLogger("silent", "test");

async function faultOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work;
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error("It was expected to fail");
}

describe("startEmbeddedPostgres", function () {
  this.timeout(60_000);
  const folder = useDataFolder();

  const modeOf = async (name: string): Promise<number> =>
    (await stat(join(folder.dataDir, name))).mode & 0o777;

  it("creates a database in an empty folder, on 127.0.0.1 and with a password", async () => {
    const postgres = await folder.start();
    expect(postgres.isNew).to.equal(true);
    expect(postgres.isAdopted).to.equal(false);
    const shown = await queryOnce(
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
    expect(await faultOf(queryOnce(wrong.href, "SELECT 1"))).to.include({ code: "28P01" });
  });

  it("keeps the password and the data private to their owner", async () => {
    const postgres = await folder.start();
    const password = (await readFile(join(folder.dataDir, "postgres-password"), "utf8")).trim();
    expect(new URL(postgres.url).password).to.equal(password);
    expect(password).to.match(/^[0-9a-f]{48}$/u);
    expect(await modeOf("postgres-password")).to.equal(0o600);
    expect(await modeOf("postgres")).to.equal(0o700);
    expect(await modeOf("postgres.log")).to.equal(0o600);
    expect((await modeOf(".")) & 0o007).to.equal(0);
    const hba = await readFile(join(folder.clusterDir, "pg_hba.conf"), "utf8");
    const methods = hba
      .split("\n")
      .flatMap((line) => /^(?:local|host).*\s(\S+)$/u.exec(line)?.[1] ?? []);
    expect(new Set(methods)).to.deep.equal(new Set(["scram-sha-256"]));
  });

  it("keeps the data over a stop, without leftover processes or drafts", async () => {
    const first = await folder.start();
    await queryOnce(first.url, "CREATE TABLE kept AS SELECT 4711 AS number");
    await first.stop();
    expect(await isAlive(first.pid)).to.equal(false);
    expect((await readdir(folder.dataDir)).toSorted()).to.deep.equal([
      "postgres",
      "postgres-password",
      "postgres.log",
    ]);
    const second = await folder.start();
    expect(second.isNew).to.equal(false);
    expect(await queryOnce(second.url, "SELECT number FROM kept")).to.deep.equal([
      { number: 4711 },
    ]);
  });

  it("rejects a folder in use with the holder's pid, and leaves the holder alone", async () => {
    const ready = await folder.listenTo(folder.spawnOwner());
    const error = await faultOf(folder.start());
    expect(error).to.be.instanceOf(DataDirBusyError);
    expect(error.message)
      .to.include(folder.dataDir)
      .and.match(/\(process \d+\)/u);
    expect(await queryOnce(ready.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("lets one of two concurrent starts win, even on an empty folder", async () => {
    const both = await Promise.allSettled([folder.start(), folder.start()]);
    const winners = both.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const losers = both.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(winners).to.have.length(1);
    expect(losers[0]).to.be.instanceOf(DataDirBusyError);
    expect(await queryOnce(winners[0]?.url ?? "", "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
  });

  it("does not touch a folder with other files", async () => {
    const file = join(folder.clusterDir, "letter.txt");
    await mkdir(folder.clusterDir, { recursive: true });
    await writeFile(file, "Dear");
    const error = await faultOf(folder.start());
    expect(error).to.be.instanceOf(EmbeddedPostgresError);
    expect(error.message).to.include("contains files, but no Postgres data");
    expect(await readFile(file, "utf8")).to.equal("Dear");
  });

  it("reports why the server did not start, with the end of its log", async () => {
    await (await folder.start()).stop();
    await writeFile(join(folder.clusterDir, "PG_VERSION"), "9\n");
    const error = await faultOf(folder.start());
    expect(error).to.be.instanceOf(EmbeddedPostgresError);
    expect(error.message).to.include("does not start").and.include("PostgreSQL version 9");
  });

  it("truncates a log beyond its limit", async () => {
    await mkdir(folder.dataDir);
    const file = join(folder.dataDir, "postgres.log");
    await writeFile(file, Buffer.alloc(11 * 1024 * 1024, "x\n"));
    await folder.start();
    expect((await stat(file)).size).to.be.within(1, 100_000);
  });

  it("works below a closed folder, with only the capability to read", async () => {
    await chmod(folder.parent, 0o700);
    await mkdir(folder.dataDir, { mode: 0o700 });
    const postgres = await folder.start();
    expect(await queryOnce(postgres.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    const { stdout } = await promisify(execFile)("ps", ["-o", "uid=", "-p", String(postgres.pid)]);
    const user = await chooseServerUser(folder.clusterDir);
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
    await mkdir(folder.dataDir);
    const binaries = await findBinaries();
    const user = await chooseServerUser(folder.clusterDir);
    await chmod(folder.dataDir, 0o700);
    if (user !== undefined) {
      await promisify(execFile)("chown", [`${user.uid}:${user.gid}`, folder.dataDir]);
    }
    // Root switches to that user; an ordinary user is that user already.
    const launcher = await chooseLauncher({ dataDir: folder.dataDir, binaries, log }, user);
    const child = launcher.spawn(process.execPath, folder.ownerArguments(), {
      output: "pipe",
      detached: false,
    });
    const report = await folder.listenTo(child);
    expect(report.fault).to.equal(undefined);
    expect(await queryOnce(report.url, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    expect((await stat(folder.clusterDir)).uid).to.equal(user?.uid ?? process.getuid?.());
  });
});
