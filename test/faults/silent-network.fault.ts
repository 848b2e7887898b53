/**
 * A host or a firewall that is gone closes no connection: nothing arrives on them any more, not even
 * a refusal. Every process replaces its connections after seconds. Nothing accepted is lost or sent
 * twice, and clients are told to try again.
 */
import { expect } from "chai";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { useLoads, type Load } from "../support/load.ts";
import { promised } from "../support/promised.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { roles, useStack } from "../support/stack.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../support/tcp-proxy.ts";

/** Two waits for Redis may follow each other, of 6 and 15 s. The time-out of Postgres is 17 s. */
const promisedMs = 25_000;

describe("connections that have fallen silent", function () {
  this.timeout(120_000);
  let proxies: { postgres: TcpProxy; redis: TcpProxy } | undefined;
  const started = () => {
    if (proxies === undefined) {
      throw new Error("The proxies start in a before hook");
    }
    return proxies;
  };
  // Before `useStack`, whose database cannot be dropped while a silent connection is open.
  after("close the proxies", async () => {
    await Promise.all([proxies?.postgres.close(), proxies?.redis.close()]);
  });
  const { processes, database, redis, stack } = useStack("redis", () => ({
    DATABASE_URL: throughProxy(database.url, started().postgres),
    // Longer than any time-out, so that nothing is sent again before its result could be stored.
    DELIVERY_LEASE_SECONDS: "30",
    REDIS_URL: throughProxy(redis.url, started().redis),
  }));
  const receiving = useReceiver();
  const loads = useLoads();
  let customer: Customer;
  let watching: Watching[];
  let load: Load;

  const proxyTo = async (url: string): Promise<TcpProxy> => {
    const proxy = createTcpProxy(await freePort(), Number(new URL(url).port));
    await proxy.open();
    return proxy;
  };
  before("start the processes behind proxies", async () => {
    proxies = { postgres: await proxyTo(database.url), redis: await proxyTo(redis.url) };
    await stack.startAll();
  });
  beforeEach("create tickets of a customer with webhooks", async () => {
    const { receiver } = receiving;
    customer = await aCustomer(database.db, stack);
    watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
    load = loads.start(customer);
    await receiver.sees(60, { timeoutMs: 20_000 });
  });

  /** Resolves once events arrive that were accepted after this call. */
  const untilDelivered = async (): Promise<void> => {
    const { receiver } = receiving;
    const silentAt = Date.now();
    const accepted = load.accepted.length;
    await eventually(
      () => {
        expect(load.accepted.length).to.be.greaterThan(accepted + 10);
        // What was on its way, or was sent by a process that noticed nothing yet, does not count.
        const late = receiver.requests.filter((one) => one.receivedAt.getTime() > silentAt + 3_000);
        expect(late.length).to.be.greaterThan(60);
      },
      { timeoutMs: promised(promisedMs) },
    );
  };
  const reconcile = async (): Promise<void> => {
    await load.stop();
    const found = await reconcileDeliveries({
      ...{ db: database.db, enterpriseId: customer.enterpriseId, watching },
      ...{ receiver: receiving.receiver, accepted: load.accepted, timeoutMs: 60_000 },
    });
    expect(found.twice).to.deep.equal([]);
  };

  it("to Redis are replaced: clients notice nothing, and deliveries continue", async () => {
    const pids = roles.map((role) => stack.current(role).pid);
    started().redis.fallSilent();
    await untilDelivered();
    await reconcile();
    expect(load.refused).to.equal(0);
    expect(processes.running.map((one) => one.pid)).to.have.members(pids);
  });

  it("to Postgres are replaced: clients are told to try again, and deliveries continue", async () => {
    const pids = roles.map((role) => stack.current(role).pid);
    started().postgres.fallSilent();
    await untilDelivered();
    await reconcile();
    expect(processes.running.map((one) => one.pid)).to.have.members(pids);
  });
});
