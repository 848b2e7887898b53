/**
 * The queue is on a Redis Cluster with TLS, and the master of the ticket queue is killed under load. Until
 * its replica has taken over, the cluster refuses all commands, and the replica may lack the last
 * jobs. Clients notice nothing, no accepted event is lost, and everything is delivered once. The
 * nightly run repeats this, with the dead node restarted as a replica.
 */
import { expect } from "chai";
import { aCustomer } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useLoads } from "../support/load.ts";
import { isNight } from "../support/night.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import {
  clusterAuthority,
  startRedisCluster,
  type RedisCluster,
} from "../support/redis-cluster.ts";
import { useStack } from "../support/stack.ts";

const rounds = isNight ? 5 : 1;
/** Time of the failover, plus the guaranteed recovery time after a loss of Redis. */
const recoveredMs = 20_000;
const prefix = "sightline";
const ticketQueue = `{${prefix}:deliver.ticket}`;

describe(`a master of a Redis Cluster killed under load, ${rounds} times`, function () {
  this.timeout(60_000 + rounds * 60_000);
  let cluster: RedisCluster;
  const { database, stack } = useStack("redis", () => ({
    REDIS_URL: cluster.urls.join(","),
    REDIS_CLUSTER: "1",
    NODE_EXTRA_CA_CERTS: clusterAuthority,
    QUEUE_PREFIX: prefix,
    // No worker is killed in this test, so a duplicate request would be caused by the queue.
    DELIVERY_TIMEOUT_MS: "10000",
    DELIVERY_LEASE_SECONDS: "15",
  }));
  const receiving = useReceiver();
  const loads = useLoads();
  before("start the cluster and the processes", async () => {
    cluster = await startRedisCluster({ replicatedKey: ticketQueue, isEncrypted: true });
    await stack.startAll();
  });
  after("stop the cluster", async () => {
    await cluster.stop();
  });

  it("loses no accepted event, and delivers each once", async () => {
    const { receiver } = receiving;
    receiver.answerWith(() => ({ status: 200, delayMs: 20 }));
    const customer = await aCustomer(database.db, stack);
    const watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
    const load = loads.start(customer, { callers: 2 });
    const publishing = loads.publish(database.db, customer.enterpriseId);
    for (let round = 0; round < rounds; round += 1) {
      await receiver.sees(receiver.requests.length + 100, { timeoutMs: 20_000 });
      const restart = await cluster.killMaster();
      const accepted = load.accepted.length;
      const committed = publishing.committed;
      await eventually(
        () => {
          expect(load.accepted.length).to.be.greaterThan(accepted + 10);
          expect(publishing.committed).to.be.greaterThan(committed + 100);
        },
        { timeoutMs: 15_000 },
      );
      // These are more requests than were queued before the loss, so Redis works again.
      await receiver.sees(receiver.requests.length + 500, { timeoutMs: recoveredMs });
      await restart();
    }
    await publishing.stop();
    await load.stop();
    const found = await reconcileDeliveries({
      db: database.db,
      enterpriseId: customer.enterpriseId,
      receiver,
      watching,
      accepted: load.accepted,
      timeoutMs: 30_000,
    });
    expect(found.twice).to.deep.equal([]);
    expect(load.refused).to.equal(0);
  });
});
