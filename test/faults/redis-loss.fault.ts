/**
 * Redis may fail at any time: emptied under load, killed and restarted empty, or hung. Nothing
 * accepted is lost or sent twice, clients notice nothing, and deliveries continue within 10 s
 * without intervention.
 */
import { expect } from "chai";
import { useChance } from "../support/chance.ts";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useLoads, type Load } from "../support/load.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries, type DeliveryCounts } from "../support/reconcile-deliveries.ts";
import { startRedisServer, type RedisServer } from "../support/redis-server.ts";
import { openRedis } from "../support/redis.ts";
import { useStack } from "../support/stack.ts";
import { promised } from "../support/promised.ts";

const promisedMs = 10_000;
/** Time-out of a Redis command, which Redis may still execute later. */
const longestWaitMs = 5_000;

describe("Redis lost under load", function () {
  this.timeout(120_000);
  let redis: RedisServer;
  const { database, stack } = useStack("redis", () => ({
    REDIS_URL: redis.url,
    // Low, so that jobs wait in Redis.
    DELIVERY_CONCURRENCY: "8",
    DELIVERY_SLOW_CONCURRENCY: "0",
  }));
  const receiving = useReceiver();
  const loads = useLoads();
  const chance = useChance();
  let customer: Customer;
  let watching: Watching[];
  let load: Load;
  before("start a Redis and the processes", async () => {
    redis = await startRedisServer();
    await stack.startAll();
  });
  after("stop the Redis", async () => {
    await redis.stop();
  });
  beforeEach("add jobs to Redis", async () => {
    const { receiver } = receiving;
    receiver.answerWith(() => ({ status: 200, delayMs: 30 }));
    customer = await aCustomer(database.db, stack);
    watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
    load = loads.start(customer, { callers: 2 });
    const publishing = loads.publish(database.db, customer.enterpriseId);
    await receiver.sees(chance.between(60, 120), { timeoutMs: 20_000 });
    await eventually(async () => expect(await countWaiting()).to.be.greaterThan(50));
    await publishing.stop();
  });

  const withRedis = async <T>(work: (client: ReturnType<typeof openRedis>) => Promise<T>) => {
    const client = openRedis(redis.url);
    try {
      return await work(client);
    } finally {
      client.disconnect();
    }
  };
  const countWaiting = (): Promise<number> =>
    withRedis(async (client) => {
      const lists = await client.keys("*:wait");
      const lengths = await Promise.all(lists.map((list) => client.llen(list)));
      return lengths.reduce((sum, length) => sum + length, 0);
    });
  const lastArrival = (ids: ReadonlySet<string>): number =>
    Math.max(
      ...receiving.receiver.requests
        .filter((one) => ids.has(one.id))
        .map((one) => one.receivedAt.getTime()),
    );
  /** Returns the event ids committed so far. */
  const listCommitted = async (): Promise<ReadonlySet<string>> => {
    const rows = await database.db("events").where({ enterprise_id: customer.enterpriseId });
    return new Set(rows.map((row: { event_id: string }) => row.event_id));
  };
  const arrivalsSince = (time: number): number =>
    receiving.receiver.requests.filter((one) => one.receivedAt.getTime() > time).length;
  const stopAndReconcile = async (): Promise<DeliveryCounts> => {
    await load.stop();
    const found = await reconcileDeliveries({
      db: database.db,
      enterpriseId: customer.enterpriseId,
      receiver: receiving.receiver,
      watching,
      accepted: load.accepted,
      timeoutMs: 30_000,
    });
    expect(found.twice).to.deep.equal([]);
    expect(load.refused).to.equal(0);
    return found;
  };

  it("continues after FLUSHALL: nothing lost, nothing twice", async () => {
    const committed = await listCommitted();
    await withRedis((client) => client.flushall());
    const lostAt = Date.now();
    await eventually(() => expect(arrivalsSince(lostAt + 500)).to.be.greaterThan(30), {
      timeoutMs: promisedMs,
    });
    await stopAndReconcile();
    expect(lastArrival(committed) - lostAt).to.be.at.most(promised(promisedMs));
  });

  it("continues after a kill and an empty start, and accepts tickets throughout", async () => {
    const committed = await listCommitted();
    await redis.kill();
    const accepted = load.accepted.length;
    await eventually(() => expect(load.accepted.length).to.be.greaterThan(accepted + 20), {
      timeoutMs: 15_000,
    });
    await redis.restart();
    const backAt = Date.now();
    await eventually(() => expect(arrivalsSince(backAt)).to.be.greaterThan(30), {
      timeoutMs: promisedMs,
    });
    await stopAndReconcile();
    expect(lastArrival(committed) - backAt).to.be.at.most(promised(promisedMs));
  });

  it("continues after a hang longer than any time-out, and accepts tickets throughout", async () => {
    redis.freeze();
    const frozenAt = performance.now();
    const accepted = load.accepted.length;
    await eventually(
      () => {
        expect(load.accepted.length).to.be.greaterThan(accepted + 20);
        expect(performance.now() - frozenAt).to.be.greaterThan(longestWaitMs + 1_000);
      },
      { timeoutMs: 15_000 },
    );
    redis.thaw();
    const backAt = Date.now();
    await eventually(() => expect(arrivalsSince(backAt)).to.be.greaterThan(30), {
      timeoutMs: promisedMs,
    });
    await stopAndReconcile();
  });
});
