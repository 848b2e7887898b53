import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { queryOnce, useDataFolder } from "../../support/data-folder.ts";

describe("the cluster of the embedded Postgres", function () {
  this.timeout(60_000);
  const folder = useDataFolder();

  it("can be opened after a copy with other permissions, even by root", async () => {
    const first = await folder.start();
    await queryOnce(first.url, "CREATE TABLE kept AS SELECT 1 AS number");
    await first.stop();
    await chmod(folder.clusterDir, 0o755);
    if (process.getuid?.() === 0) {
      await promisify(execFile)("chown", ["-R", "0:0", folder.clusterDir]);
    }
    const second = await folder.start();
    expect(await queryOnce(second.url, "SELECT number FROM kept")).to.deep.equal([{ number: 1 }]);
  });

  it("removes drafts of dead starts and keeps that of a running one", async () => {
    const alive = spawn("sleep", ["600"], { stdio: "ignore" });
    folder.killAfterwards(alive);
    const dead = spawn("true", { stdio: "ignore" });
    await once(dead, "exit");
    const drafts = {
      atWork: `postgres.init-${alive.pid}-1-a`,
      ofAnotherProgram: `postgres.init-${alive.pid}-1-b`,
      ofTheDead: `postgres.init-${dead.pid}-1-c`,
      ofOurNumberInAnEarlierLife: `postgres.init-${process.pid}-1-d`,
    };
    for (const name of Object.values(drafts)) {
      await mkdir(join(folder.dataDir, name, "data"), { recursive: true });
    }
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(folder.dataDir, drafts.ofAnotherProgram), longAgo, longAgo);
    await folder.start();
    const left = (await readdir(folder.dataDir)).filter((name) => name.includes(".init-"));
    expect(left).to.deep.equal([drafts.atWork]);
  });
});
