import { expect } from "chai";
import { createRateLimiter } from "../../src/http/rate-limit.ts";
import { postgresRateStores, redisRateStores, type RateStores } from "../../src/http/rate-store.ts";
import { openRedis, type RedisClient } from "../../src/platform/queue/redis.ts";
import { useRedisBackend } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";

function behavesLikeARateStore(open: () => RateStores): void {
  it("adds up and returns the time until the reset", async () => {
    const store = open()("sum", 60);
    expect((await store.add("u", 2)).total).to.equal(2);
    const { total, resetMs } = await store.add("u", 3);
    expect(total).to.equal(5);
    expect(resetMs).to.be.within(50_000, 60_000);
  });

  it("reads a count without changing it", async () => {
    const store = open()("read", 60);
    await store.add("u", 2);
    expect((await store.add("u", 0)).total).to.equal(2);
    expect((await store.add("u", 0)).total).to.equal(2);
  });

  it("separates keys and limits", async () => {
    const stores = open();
    await stores("one", 60).add("u", 2);
    expect((await stores("one", 60).add("v", 1)).total).to.equal(1);
    expect((await stores("two", 60).add("u", 1)).total).to.equal(1);
  });

  it("resets", async () => {
    const store = open()("forget", 60);
    await store.add("u", 2);
    await store.reset("u");
    expect((await store.add("u", 1)).total).to.equal(1);
  });

  it("refunds points", async () => {
    const store = open()("back", 60);
    await store.add("u", 2);
    expect((await store.add("u", -1)).total).to.equal(1);
    expect((await store.add("u", 0)).total).to.equal(1);
  });

  it("shares one limit between two processes", async () => {
    const stores = open();
    const create = () =>
      createRateLimiter({
        ...{ store: stores("agree", 60), limit: 30, windowMs: 60_000 },
        waitMs: 10_000, // after a time-out, the process would use its local counter
      });
    const [a, b] = [create(), create()];
    const calls = Array.from({ length: 90 }, (_, i) => (i % 2 === 0 ? a : b).take("u"));
    const verdicts = await Promise.all(calls);
    expect(verdicts.filter(({ isAllowed }) => isAllowed)).to.have.length(30);
  });
}

describe("rate store", () => {
  describe("in Postgres", () => {
    const database = useDatabase();
    behavesLikeARateStore(() => postgresRateStores(database.db));
  });

  for (const kind of isNight ? (["redis", "redis-cluster"] as const) : (["redis"] as const)) {
    describe(`in Redis (${kind})`, () => {
      const backend = useRedisBackend(kind);
      let client: RedisClient;
      before(async () => {
        client = openRedis(backend());
        await eventually(() => client.ping());
      });
      after(() => client.disconnect());
      behavesLikeARateStore(() => redisRateStores(client, backend().namespace));
    });
  }
});
