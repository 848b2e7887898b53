import { expect } from "chai";
import type { Notify } from "../../../src/platform/db/notify.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { listenOnRedis, openNotify } from "../../../src/platform/queue/redis-wake.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { useRedis } from "../../support/redis.ts";
import { createTcpProxy, throughProxy } from "../../support/tcp-proxy.ts";

const log = createLogger("silent", "test");

describe("wake-ups over Redis", () => {
  const redis = useRedis();
  const closing: (() => unknown)[] = [];

  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  const backend = (url = redis.url) => ({ kind: "redis" as const, url, namespace: redis.prefix });

  /** Sends wake-ups, and records those that were sent through Postgres. */
  const sender = (url?: string) => {
    const overPostgres: string[] = [];
    const fallback: Notify = async (topic) => void overPostgres.push(topic);
    const { notify, close } = openNotify(backend(url), fallback, log);
    closing.push(close);
    return { notify, overPostgres };
  };

  const listen = (url?: string) => {
    const heard = { count: 0 };
    closing.push(listenOnRedis(backend(url), () => (heard.count += 1), log).close);
    return heard;
  };

  /** Resolves once wake-ups no longer go through Postgres. */
  const untilHeard = ({ notify, overPostgres }: ReturnType<typeof sender>) =>
    eventually(async () => {
      overPostgres.length = 0;
      await notify("outbox", [""]);
      expect(overPostgres).to.deep.equal([]);
    });

  it("reach the relay alone, without Postgres", async () => {
    const heard = listen();
    const one = sender();
    await untilHeard(one);
    await eventually(() => expect(heard.count).to.be.at.least(1));
    const before = heard.count;
    await one.notify("outbox", [""]);
    await eventually(() => expect(heard.count).to.be.above(before));
    expect(one.overPostgres).to.deep.equal([]);
    await one.notify("tasks", ["7"]);
    expect(one.overPostgres).to.deep.equal(["tasks"]);
  });

  it("go over Postgres while no relay listens to Redis", async () => {
    const one = sender();
    await one.notify("outbox", [""]); // before the first connection is open
    await eventually(async () => {
      await one.notify("outbox", [""]);
      expect(one.overPostgres.length).to.be.at.least(2);
    });
    expect(new Set(one.overPostgres)).to.deep.equal(new Set(["outbox"]));
  });

  it("go over Postgres while Redis is away, and wake the relay when it is back", async () => {
    const proxy = createTcpProxy(await freePort(), Number(new URL(redis.url).port));
    await proxy.open();
    closing.push(() => proxy.close());
    const url = throughProxy(redis.url, proxy);
    const heard = listen(url);
    const one = sender(url);
    await untilHeard(one);
    await proxy.close();
    await one.notify("outbox", [""]);
    expect(one.overPostgres).to.deep.equal(["outbox"]);
    const before = heard.count;
    await proxy.open();
    await eventually(() => expect(heard.count).to.be.above(before));
    await untilHeard(one);
  });
});
