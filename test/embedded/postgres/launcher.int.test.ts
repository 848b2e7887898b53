import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import {
  type Binaries,
  chooseLauncher,
  chooseServerUser,
  findBinaries,
} from "../../../src/embedded/postgres/launcher.ts";
import { EmbeddedPostgresError } from "../../../src/embedded/postgres/processes.ts";
import { createLogger } from "../../../src/platform/logger.ts";

const log = createLogger("silent", "test");
const isRoot = process.getuid?.() === 0;

describe("the launcher of the server's programs", function () {
  this.timeout(30_000);
  let dataDir: string;
  let binaries: Binaries;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "sightline-launcher-"));
    binaries = await findBinaries();
  });

  afterEach(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  /**
   * A copy of the Postgres programs below a folder that only this user may enter, as after an
   * installation with umask 077.
   */
  const copyClosed = async (): Promise<Binaries> => {
    await cp(dirname(dirname(binaries.postgres)), join(dataDir, "native"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await promisify(execFile)("chmod", ["-R", "go=", join(dataDir, "native")]);
    const bin = join(dataDir, "native", "bin");
    return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres") };
  };

  it("never runs a program as root", async () => {
    const user = await chooseServerUser(join(dataDir, "postgres"));
    await chmod(dataDir, 0o755);
    const launcher = await chooseLauncher({ dataDir, binaries, log }, user);
    const uid = Number(await launcher.run("/usr/bin/id", ["-u"]));
    expect(uid).to.be.above(0);
    expect(uid).to.equal(isRoot ? user?.uid : process.getuid?.());
    expect(await launcher.run("/usr/bin/id", ["-G"])).to.equal(
      isRoot ? String(user?.gid) : (await promisify(execFile)("/usr/bin/id", ["-G"])).stdout.trim(),
    );
  });

  it("runs programs below a closed folder, without permission to write there", async () => {
    const closed = await copyClosed();
    const user = await chooseServerUser(join(dataDir, "postgres"));
    const launcher = await chooseLauncher({ dataDir, binaries: closed, log }, user);
    expect(await launcher.run(closed.postgres, ["--version"])).to.match(
      /^postgres \(PostgreSQL\) 18/u,
    );
    const writing = launcher.run("/bin/sh", ["-c", `: > ${dataDir}/native/written`]);
    const outcome = await writing.then(
      () => "written",
      () => "refused",
    );
    expect(outcome).to.equal(isRoot ? "refused" : "written");
  });

  it("keeps the owner of data that an ordinary user created", async () => {
    const cluster = join(dataDir, "postgres");
    await mkdir(cluster);
    if (isRoot) {
      await promisify(execFile)("chown", ["4711:4712", cluster]);
      expect(await chooseServerUser(cluster)).to.deep.equal({ uid: 4711, gid: 4712 });
    } else {
      expect((await stat(cluster)).uid).to.equal(process.getuid?.());
      expect(await chooseServerUser(cluster)).to.equal(undefined);
    }
  });

  it("reports what failed and what to do if the programs cannot be reached", async () => {
    const broken = { ...binaries, postgres: join(dataDir, "postgres") };
    await writeFile(broken.postgres, "#!/bin/sh\necho cannot go >&2; exit 1\n", { mode: 0o755 });
    try {
      // An ordinary user cannot switch to another user; for root, the program itself fails.
      await chooseLauncher({ dataDir, binaries: broken, log }, { uid: 4711, gid: 4711 });
    } catch (thrown) {
      expect(thrown).to.be.instanceOf(EmbeddedPostgresError);
      expect((thrown as Error).message)
        .to.include("the user with id 4711")
        .and.include(broken.postgres)
        .and.include("setpriv")
        .and.include("set DATABASE_URL");
      return;
    }
    throw new Error("It was expected to fail");
  });

  it("passes on the output of a failed program", async () => {
    const user = await chooseServerUser(join(dataDir, "postgres"));
    await chmod(dataDir, 0o755);
    const launcher = await chooseLauncher({ dataDir, binaries, log }, user);
    try {
      await launcher.run("/bin/sh", ["-c", "echo no room left >&2; exit 3"]);
    } catch (thrown) {
      expect(thrown).to.be.instanceOf(EmbeddedPostgresError);
      expect((thrown as Error).message).to.include("no room left");
      return;
    }
    throw new Error("It was expected to fail");
  });
});
