import { expect } from "chai";
import type pg from "pg";
import { socketOf } from "../../../src/platform/db/connection.ts";
import { openPool, rowsOf, type Db } from "../../../src/platform/db/pool.ts";
import { preparedRowsOf, sharedRowsOf } from "../../../src/platform/db/prepared.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../../support/tcp-proxy.ts";

describe("connections of a pool", () => {
  const database = useDatabase();
  let db: Db;
  beforeEach("open a pool", () => {
    db = openPool({ url: database.url, maxConnections: 2, name: "test" });
  });
  afterEach("close the pool", () => db.destroy());

  const take = () => db.client.acquireConnection() as Promise<pg.Client>;
  const giveBack = (connection: pg.Client) => db.client.releaseConnection(connection);
  const counts = () => {
    const { pool } = db.client;
    return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
  };
  const backendOf = async (connection: pg.Client): Promise<number> =>
    (await connection.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;

  it("are given out again, the last one first", async () => {
    const [first, second] = [await take(), await take()];
    expect(counts()).to.deep.equal({ used: 2, free: 0, waiting: 0 });
    await giveBack(first);
    await giveBack(second);
    expect(counts()).to.deep.equal({ used: 0, free: 2, waiting: 0 });
    expect(await take()).to.equal(second);
    expect(await take()).to.equal(first);
    await giveBack(first);
    await giveBack(second);
  });

  it("are not given to somebody else while they are used: who comes last waits last", async () => {
    const [first, second] = [await take(), await take()];
    const order: number[] = [];
    const third = take().then((one) => (order.push(3), one));
    const fourth = take().then((one) => (order.push(4), one));
    expect(counts().waiting).to.equal(2);
    await giveBack(first);
    expect(await third).to.equal(first);
    await giveBack(second);
    expect(await fourth).to.equal(second);
    expect(order).to.deep.equal([3, 4]);
    await giveBack(first);
    await giveBack(second);
  });

  it("are replaced if Postgres has ended them", async () => {
    const lost = await take();
    const pid = await backendOf(lost);
    await giveBack(lost);
    await rowsOf(database.db, "SELECT pg_terminate_backend(?)", [pid]);
    await eventually(() => expect(Reflect.has(lost, "__knex__disposed")).to.equal(true));
    const next = await take();
    expect(await backendOf(next)).not.to.equal(pid);
    await giveBack(next);
  });

  /** A pool through a proxy. Its statements time out after 2.5 s. */
  const withPoolBehindProxy = async (
    maxConnections: number,
    work: (far: Db, proxy: TcpProxy) => Promise<void>,
  ): Promise<void> => {
    const proxy = createTcpProxy(await freePort(), Number(new URL(database.url).port));
    await proxy.open();
    const url = throughProxy(database.url, proxy);
    const far = openPool({ url, maxConnections, name: "far", statementTimeoutMs: 500 });
    try {
      await work(far, proxy);
    } finally {
      await proxy.close();
      await far.destroy();
    }
  };
  const open = (far: Db) => far.client.acquireConnection() as Promise<pg.Client>;

  it("are all replaced after one of them was silent until the time-out", async () => {
    await withPoolBehindProxy(3, async (far, proxy) => {
      const all = [await open(far), await open(far), await open(far)];
      all.forEach((one) => far.client.releaseConnection(one));
      proxy.fallSilent();
      const failure = await sharedRowsOf(far, "SELECT 2", []).catch((error: Error) => error);
      expect(String(failure)).to.include("Query read timeout");
      await eventually(() => {
        expect(all.map((one) => socketOf(one).destroyed)).to.deep.equal([true, true, true]);
      });
      const [row] = await sharedRowsOf<{ two: number }>(far, "SELECT 2 AS two", []);
      expect(row).to.deep.equal({ two: 2 });
    });
  });

  it("are not given to those who wait for one if they were silent until the time-out", async () => {
    await withPoolBehindProxy(1, async (far, proxy) => {
      await rowsOf(far, "SELECT 1");
      proxy.fallSilent();
      const [first, second] = await Promise.allSettled([
        preparedRowsOf(far, "SELECT 2 AS two", []),
        preparedRowsOf<{ two: number }>(far, "SELECT 2 AS two", []),
      ]);
      expect(first.status).to.equal("rejected");
      expect(second).to.deep.equal({ status: "fulfilled", value: [{ two: 2 }] });
    });
  });

  it("stay if Postgres has ended another one of them", async () => {
    const [lost, kept] = [await take(), await take()];
    const pids = [await backendOf(lost), await backendOf(kept)];
    await giveBack(kept);
    await giveBack(lost);
    await rowsOf(database.db, "SELECT pg_terminate_backend(?)", [pids[0]]);
    await eventually(() => expect(Reflect.has(lost, "__knex__disposed")).to.equal(true));
    const next = await take();
    expect(await backendOf(next)).to.equal(pids[1]);
    await giveBack(next);
  });

  it("that fail after the pool was closed do no harm", async () => {
    const one = await take();
    const closed = db.destroy();
    await giveBack(one);
    await closed;
    one.emit("error", new Error("late"));
    expect(counts).to.throw(TypeError); // the pool is gone
  });

  it("are not given out while the pool closes, and none of them stays open", async () => {
    const [used, free] = [await take(), await take()];
    const pids = [await backendOf(used), await backendOf(free)];
    await giveBack(free);
    const closed = db.destroy();
    const late = take().then(
      () => "given out",
      () => "refused",
    );
    await giveBack(used);
    await closed;
    expect(await late).to.equal("refused");
    const sql = "SELECT pid FROM pg_stat_activity WHERE pid = ANY(?)";
    await eventually(async () => expect(await rowsOf(database.db, sql, [pids])).to.deep.equal([]));
  });

  it("serve queries after a moment without any, and are closed with the pool", async () => {
    const one = await take();
    const pid = await backendOf(one);
    await giveBack(one);
    expect(await rowsOf(db, "SELECT 1 AS one")).to.deep.equal([{ one: 1 }]);
    await db.destroy();
    const sql = "SELECT 1 FROM pg_stat_activity WHERE pid = ?";
    await eventually(async () => expect(await rowsOf(database.db, sql, [pid])).to.deep.equal([]));
  });
});
