import { expect } from "chai";
import { startDelivery, startRelay, startSchedule, startStandIn } from "../../src/compose/roles.ts";
import type { Platform } from "../../src/compose/platform.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { onBothBackends } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { anEnterprise } from "../support/factories.ts";
import { aReceivingSubscription, aTicketEvent, startPipeline } from "../support/pipeline.ts";
import { useReceiver } from "../support/receiver.ts";
import { useRedis } from "../support/redis.ts";

/** Starts one process, in which `start` starts the roles. */
type Start = (platform: Platform) => void;

const withStandIn: Start = (platform) => startStandIn(platform, startDelivery(platform));

onBothBackends((kind) => {
  describe("a relay in the process of a worker", function () {
    this.timeout(60_000);
    const database = useDatabase();
    const redis = useRedis();
    const hanging = useReceiver();
    const successful = useReceiver();
    const closers: (() => Promise<void>)[] = [];
    afterEach("stop all processes", async () => {
      for (const close of closers.splice(0).toReversed()) {
        await close();
      }
    });

    /** Starts a process, and counts the jobs that it adds. */
    const begin = async (start: Start, env: Record<string, string> = {}) => {
      const pipeline = await startPipeline({ kind, database, redis, env, roles: [] });
      closers.push(() => pipeline.stop());
      const { queue } = pipeline.platform.openQueue();
      const jobs = { count: 0 };
      const { add } = queue;
      queue.add = async (name, items, at) => {
        jobs.count += items.length;
        await add(name, items, at);
      };
      start(pipeline.platform);
      return { ...pipeline, jobs };
    };

    const aCustomer = async ({ receiver }: typeof successful): Promise<number> => {
      const { id } = await anEnterprise(database.db);
      await aReceivingSubscription(database.db, { enterpriseId: id, url: receiver.url });
      return id;
    };

    it("delivers without jobs in one process, as in npm start", async () => {
      const { publish, jobs } = await begin((platform) =>
        startRelay(platform, startDelivery(platform)),
      );
      const customer = await aCustomer(successful);
      for (let ticket = 1; ticket <= 3; ticket += 1) {
        await publish([aTicketEvent(customer, ticket)]);
        await successful.receiver.sees(ticket);
      }
      expect(jobs.count).to.equal(0);
    });

    it("lets the worker store its results when a delivery waits for an earlier one", async () => {
      let stored = 0;
      const { publish } = await begin((platform) => {
        const worker = startDelivery(platform);
        const storeResults = (): void => {
          stored += 1;
          worker.storeResults();
        };
        startRelay(platform, { ...worker, storeResults });
      });
      const { receiver } = successful;
      const { id } = await anEnterprise(database.db);
      const options = { enterpriseId: id, url: receiver.url, isOrdered: true };
      await aReceivingSubscription(database.db, options);
      await publish([aTicketEvent(id, 1), aTicketEvent(id, 2)]);
      await receiver.sees(2);
      expect(stored).to.equal(0);
      await publish([aTicketEvent(id, 3), aTicketEvent(id, 3)]);
      await receiver.sees(4);
      expect(stored).to.be.at.least(1);
    });

    if (kind === "redis") {
      it("delivers without jobs where it stands in, even without another relay", async () => {
        const { publish, jobs } = await begin(withStandIn);
        const customer = await aCustomer(successful);
        // Until it stands in, nobody hears of the events.
        await eventually(async () => {
          await publish([aTicketEvent(customer, 1)]);
          await successful.receiver.sees(1, { timeoutMs: 200 });
        });
        const before = successful.receiver.requests.length;
        await publish([aTicketEvent(customer, 2)]);
        await successful.receiver.sees(before + 1);
        expect(jobs.count).to.equal(0);
      });

      it("does not stand in if that is turned off", async () => {
        await begin(withStandIn, { RELAY_STAND_IN: "false" });
        const relay = await begin((platform) => startRelay(platform));
        const customer = await aCustomer(successful);
        await eventually(async () => {
          await relay.publish([aTicketEvent(customer, 1)]);
          await successful.receiver.sees(1, { timeoutMs: 200 });
        });
        expect(relay.jobs.count).to.be.at.least(1);
      });
    }

    for (const [overflow, count] of [
      [0, 4],
      [4, 8],
    ] as const) {
      it(`leaves jobs to another process while ${count} requests hang in all its places`, async () => {
        const env = {
          DELIVERY_CONCURRENCY: "4",
          DELIVERY_MAX_IN_FLIGHT: "2",
          DELIVERY_SLOW_CONCURRENCY: String(overflow),
          DELIVERY_TIMEOUT_MS: "40000",
          DELIVERY_LEASE_SECONDS: "60",
        };
        const relay = await begin((platform) => {
          startRelay(platform);
          startSchedule(platform);
        }, env);
        await begin(withStandIn, env);
        const healthy = await aCustomer(successful);
        await relay.publish([aTicketEvent(healthy, 1)]);
        await successful.receiver.sees(1);
        hanging.receiver.answerWith(["hang"]);
        for (let seen = 1; seen <= count; seen += 1) {
          const customer = await aCustomer(hanging);
          await relay.publish([aTicketEvent(customer, 1)]);
          await hanging.receiver.sees(seen, { timeoutMs: 20_000 });
        }
        await begin(withStandIn, env);
        for (let ticket = 2; ticket <= 15; ticket += 1) {
          await relay.publish([aTicketEvent(healthy, ticket)]);
          await successful.receiver.sees(ticket, { timeoutMs: 20_000 });
        }
        expect(hanging.receiver.openRequests).to.equal(count);
        const attempts = await rowsOf<{ status: number | null }>(
          database.db,
          "SELECT status FROM attempts WHERE enterprise_id = ? AND status IS DISTINCT FROM 200",
          [healthy],
        );
        expect(attempts).to.deep.equal([]);
        hanging.receiver.answerWith([200]);
      });
    }
  });
});
