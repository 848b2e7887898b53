import { expect } from "chai";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { createWriteProbe, NoWritesError } from "../../../src/platform/db/availability.ts";
import { useDatabase } from "../../support/database.ts";

describe("the write probe", () => {
  const database = useDatabase();
  const pools: Db[] = [];
  afterEach("close the pools and reset the settings", async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
    await rowsOf(database.db, `ALTER DATABASE ${database.name} RESET ALL`);
  });

  /** Opens new connections, because database settings apply only to those. */
  const openProbe = async (setting?: string) => {
    if (setting !== undefined) {
      await rowsOf(database.db, `ALTER DATABASE ${database.name} SET ${setting}`);
    }
    const db = openPool({ url: database.url, maxConnections: 1, name: "test" });
    pools.push(db);
    let nowMs = 0;
    let queries = 0;
    db.on("query", ({ sql }: { sql: string }) => {
      queries += sql.includes("generate_series") ? 1 : 0;
    });
    const probe = createWriteProbe(db, { keptMs: 100, failureKeptMs: 10, nowMs: () => nowMs });
    return {
      db,
      probe: () => probe().catch((thrown: unknown) => thrown),
      wait: (ms: number) => (nowMs += ms),
      count: () => queries,
    };
  };

  it("passes, and restores the settings of its connection", async () => {
    const { db, probe } = await openProbe();
    const before = await rowsOf(db, "SHOW work_mem");
    expect(await probe()).to.equal(undefined);
    expect(await rowsOf(db, "SHOW work_mem")).to.deep.equal(before);
  });

  it("fails if the server may write no file", async () => {
    const { probe } = await openProbe("temp_file_limit = 0");
    const thrown = await probe();
    expect(thrown).to.be.instanceOf(NoWritesError);
    expect((thrown as Error).message).to.equal(
      "the database accepts no writes: it is out of resources",
    );
  });

  it("fails on a read-only server", async () => {
    const { probe } = await openProbe("default_transaction_read_only = on");
    expect(((await probe()) as Error).message).to.equal(
      "the database accepts no writes: it is read-only",
    );
  });

  it("probes once for concurrent callers, and again later; sooner after a failure", async () => {
    const valid = await openProbe();
    await Promise.all([valid.probe(), valid.probe()]);
    valid.wait(99);
    await valid.probe();
    expect(valid.count()).to.equal(1);
    valid.wait(1);
    await valid.probe();
    expect(valid.count()).to.equal(2);
    const bad = await openProbe("temp_file_limit = 0");
    await Promise.all([bad.probe(), bad.probe()]);
    expect(bad.count()).to.equal(1);
    bad.wait(10);
    await bad.probe();
    expect(bad.count()).to.equal(2);
  });
});
