import { expect } from "chai";
import {
  followDatabaseClock,
  observeCheck,
  queueCheck,
  writesCheck,
} from "../../src/compose/readiness.ts";
import { openPool, rowsOf, type Db } from "../../src/platform/db/pool.ts";
import type { Lifecycle } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { openJobQueue } from "../../src/platform/queue/job-queue.ts";
import { logInto, type LogLine } from "../support/api.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { useRedis } from "../support/redis.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../support/tcp-proxy.ts";

describe("the readiness of a process", () => {
  const database = useDatabase();
  const redis = useRedis();
  const pools: Db[] = [];
  const stops: (() => Promise<void>)[] = [];
  let proxy: TcpProxy;
  const log: LogLine[] = [];

  beforeEach("open a way to the database", async () => {
    log.length = 0;
    proxy = createTcpProxy(await freePort(), Number(new URL(database.url).port));
    await proxy.open();
  });
  afterEach("stop and close everything", async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
    await proxy.close();
    await rowsOf(database.db, `ALTER DATABASE ${database.name} RESET ALL`);
  });

  const setUp = () => {
    const url = throughProxy(database.url, proxy);
    const db = openPool({ url, maxConnections: 1, name: "test" });
    pools.push(db);
    const metrics = createMetrics();
    const valueOf = async (series: string): Promise<number | undefined> => {
      const { text } = await metrics.render();
      const line = text.split("\n").find((one) => one.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    };
    return { deps: { db, metrics, log: logInto(log) }, valueOf };
  };
  const lifecycle: Pick<Lifecycle, "onStop"> = {
    onStop: (_name, stop) => void stops.push(() => stop(1_000)),
  };

  it("shows an outage of Postgres, and its end", async () => {
    const { deps, valueOf } = setUp();
    await followDatabaseClock(deps, lifecycle, 20);
    expect(await valueOf('process_ready{check="database"}')).to.equal(1);
    await eventually(async () =>
      expect(await valueOf('process_ready{check="schema"}')).to.equal(1),
    );
    await proxy.close();
    await eventually(async () =>
      expect(await valueOf('process_ready{check="database"}')).to.equal(0),
    );
    const [line] = log;
    expect(line?.event).to.equal("health.check_failed");
    expect(line?.fields).to.include({ check: "database" });
    await proxy.open();
    await eventually(async () =>
      expect(await valueOf('process_ready{check="database"}')).to.equal(1),
    );
  });

  it("shows the offset of the database's clock", async () => {
    const { deps, valueOf } = setUp();
    await followDatabaseClock(deps, lifecycle, 60_000);
    expect(Math.abs((await valueOf("database_clock_offset_seconds")) ?? NaN)).to.be.below(5);
    expect(log).to.deep.equal([]);
  });

  it("shows that Postgres accepts no writes, and why in the log", async () => {
    await rowsOf(
      database.db,
      `ALTER DATABASE ${database.name} SET default_transaction_read_only = on`,
    );
    const { deps, valueOf } = setUp();
    expect(await observeCheck(writesCheck(deps.db), deps)).to.equal(false);
    expect(await valueOf('process_ready{check="writes"}')).to.equal(0);
    expect(log.map(({ fields }) => fields)).to.deep.equal([
      { check: "writes", reason: "the database accepts no writes: it is read-only" },
    ]);
  });

  it("shows an outage of the queue, and its end", async () => {
    const { deps, valueOf } = setUp();
    const way = createTcpProxy(await freePort(), Number(new URL(redis.url).port));
    await way.open();
    const url = throughProxy(redis.url, way);
    const queue = openJobQueue(
      { kind: "redis", url, namespace: redis.prefix },
      createLogger("silent", "test"),
    );
    stops.push(async () => {
      await queue.close();
      await way.close();
    });
    const check = queueCheck(queue);
    expect(await observeCheck(check, deps)).to.equal(true);
    await way.close();
    expect(await observeCheck(check, deps)).to.equal(false);
    expect(await valueOf('process_ready{check="queue"}')).to.equal(0);
    expect(log.map(({ fields }) => fields["check"])).to.deep.equal(["queue"]);
    await way.open();
    await eventually(() => observeCheck(check, deps), { timeoutMs: 20_000 });
    expect(await valueOf('process_ready{check="queue"}')).to.equal(1);
  });
});
