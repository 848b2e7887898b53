import { expect } from "chai";
import type { Notify } from "../../../src/platform/db/notify.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import {
  listenOnRedis,
  openNotify,
  standInForRelay,
} from "../../../src/platform/queue/redis-wake.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { openRedis, useRedis } from "../../support/redis.ts";
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

  it("reach a relay again whose connection has fallen silent, without being closed", async () => {
    const proxy = createTcpProxy(await freePort(), Number(new URL(redis.url).port));
    await proxy.open();
    closing.push(() => proxy.close());
    const heard: string[] = [];
    const through = backend(throughProxy(redis.url, proxy));
    const checks = { askEveryMs: 100, answerMs: 2_000 };
    const { close } = listenOnRedis(through, (words) => heard.push(words.join(" ")), log, checks);
    closing.push(close);
    const one = sender();
    await untilHeard(one);
    await eventually(() => expect(heard).to.include(""));
    proxy.fallSilent();
    await one.notify("outbox", ["lost"]);
    const before = heard.length;
    await eventually(() => heard.length > before, { timeoutMs: 20_000 }); // it has reconnected
    await eventually(async () => {
      await one.notify("outbox", ["heard"]);
      expect(heard).to.include("heard");
    });
    expect(heard).not.to.include("lost");
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

  describe("with processes that may stand in for the relay", () => {
    const times = { termMs: 60_000, takenMs: 20, handedOverMs: 100 };

    const standIn = (
      more: Partial<typeof times> = {},
      {
        url,
        prepare = async () => undefined,
      }: { url?: string; prepare?: () => Promise<void> } = {},
    ) => {
      const words: string[] = [];
      const wake = (some: readonly string[]) => words.push(...some);
      const one = standInForRelay(backend(url), { wake, prepare }, log, { ...times, ...more });
      closing.push(one.close);
      return { words, ...one };
    };

    let sent = 0;

    /** Sends a wake-up, and returns who heard it. */
    const whoHears = async (
      one: ReturnType<typeof sender>,
      listeners: readonly { words: string[] }[],
      relay: { count: number },
    ): Promise<(number | "relay" | "postgres")[]> => {
      sent += 1;
      const word = `w${sent}`;
      const before = { relay: relay.count, postgres: one.overPostgres.length };
      await one.notify("outbox", [word]);
      return eventually(() => {
        const heard = [
          ...listeners.flatMap(({ words }, index) => (words.includes(word) ? [index] : [])),
          ...(relay.count > before.relay ? ["relay" as const] : []),
          ...(one.overPostgres.length > before.postgres ? ["postgres" as const] : []),
        ];
        expect(heard).not.to.deep.equal([]);
        return heard;
      });
    };

    it("wakes one of them in place of the relay, and the relay once it hands over", async () => {
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      await eventually(() => expect(relay.count).to.be.at.least(2));
      const first = standIn({ handedOverMs: 60_000 });
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
      await first.handOver();
      expect(await whoHears(one, [first], relay)).to.deep.equal(["relay"]);
    });

    it("wakes it again some time after it has handed over", async () => {
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      const first = standIn();
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
      await first.handOver();
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
    });

    it("wakes one at a time, also if several have begun at the same moment", async () => {
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      const several = [1, 2, 3].map(() => standIn({ termMs: 40, takenMs: 5_000 }));
      await eventually(async () => {
        for (let i = 0; i < 5; i += 1) {
          const heard = await whoHears(one, several, relay);
          expect(heard).to.have.length(1);
          expect(heard).not.to.include("postgres");
        }
      });
    });

    it("wakes another one after the first has closed, and the relay after the last", async () => {
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      const first = standIn();
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
      const second = standIn();
      await first.close();
      await eventually(async () =>
        expect(await whoHears(one, [first, second], relay)).to.deep.equal([1]),
      );
      await second.close();
      expect(await whoHears(one, [first, second], relay)).to.deep.equal(["relay"]);
    });

    it("wakes the relay as soon as the connection of the one that stood in is lost", async () => {
      const proxy = createTcpProxy(await freePort(), Number(new URL(redis.url).port));
      await proxy.open();
      closing.push(() => proxy.close());
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      const first = standIn({}, { url: throughProxy(redis.url, proxy) });
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
      await proxy.close();
      await eventually(async () =>
        expect(await whoHears(one, [first], relay)).to.deep.equal(["relay"]),
      );
      await first.handOver(); // while Redis is away
    });

    it("is not confused by a monitor that listens to all channels", async () => {
      const monitor = openRedis();
      closing.push(() => monitor.disconnect());
      await monitor.psubscribe("*");
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      expect(await whoHears(one, [], relay)).to.deep.equal(["relay"]);
      const first = standIn();
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
    });

    it("is woken only after it has prepared", async () => {
      const relay = listen();
      const one = sender();
      await untilHeard(one);
      const tries = { count: 0, allowed: false };
      const prepare = async (): Promise<void> => {
        tries.count += 1;
        if (!tries.allowed) {
          throw new Error("no database");
        }
      };
      const first = standIn({}, { prepare });
      await eventually(() => expect(tries.count).to.be.at.least(2));
      expect(await whoHears(one, [first], relay)).to.deep.equal(["relay"]);
      tries.allowed = true;
      await eventually(async () => expect(await whoHears(one, [first], relay)).to.deep.equal([0]));
    });

    it("waits longer each time after it has handed over", async () => {
      const starts: number[] = [];
      const prepare = async () => void starts.push(performance.now());
      const first = standIn({ handedOverMs: 50 }, { prepare });
      for (let count = 1; count <= 4; count += 1) {
        await eventually(() => expect(starts).to.have.length(count));
        await first.handOver();
      }
      const pauses = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
      expect(pauses[0]).to.be.at.least(49);
      expect(pauses[1]).to.be.at.least(99);
      expect(pauses[2]).to.be.at.least(199);
    });

    it("wakes the relay if the user of Redis may use its channel only", async () => {
      const admin = openRedis();
      const user = `${redis.prefix}_user`;
      closing.push(async () => {
        await admin.acl("DELUSER", user);
        admin.disconnect();
      });
      const channel = `${redis.prefix}:wake:outbox`;
      await admin.acl("SETUSER", user, "on", ">secret", "+@all", "~*", `&${channel}`);
      const url = new URL(redis.url);
      Object.assign(url, { username: user, password: "secret" });
      const relay = listen();
      const one = sender(url.href);
      const first = standIn({}, { url: url.href });
      await untilHeard(one);
      expect(await whoHears(one, [first], relay)).to.deep.equal(["relay"]);
    });
  });
});
