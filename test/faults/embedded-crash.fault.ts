/**
 * `npm start` survives `kill -9`. If the whole process is killed under load, the next start takes
 * over the running Postgres and delivers everything that was accepted. If its Postgres is killed,
 * the process restarts it and continues.
 */
import { expect } from "chai";
import { openPool, type Db } from "../../src/platform/db/pool.ts";
import { onBackend } from "../support/backends.ts";
import { useChance } from "../support/chance.ts";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { useInstallation } from "../support/embedded-start.ts";
import { eventually } from "../support/eventually.ts";
import { useLoads } from "../support/load.ts";
import { isNight } from "../support/night.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import { useReceiver } from "../support/receiver.ts";
import {
  listInFlight,
  reconcileDeliveries,
  type DeliveryCounts,
} from "../support/reconcile-deliveries.ts";
import { useRedis } from "../support/redis.ts";
import { fastEnvironment } from "../support/stack.ts";

const rounds = isNight ? 5 : 1;

onBackend("postgres", (kind) => {
  describe("npm start under load", function () {
    this.timeout(120_000);
    const processes = useProcesses();
    const redis = useRedis();
    const installing = useInstallation(processes);
    const receiving = useReceiver();
    const loads = useLoads();
    const chance = useChance();
    let db: Db;
    let running: Process;
    let customer: Customer;
    let watching: Watching[];

    const start = async (): Promise<void> => {
      const ofRedis = { REDIS_URL: redis.url, QUEUE_PREFIX: redis.prefix };
      running = await installing.installation.start({
        ...fastEnvironment,
        ...(kind === "redis" ? ofRedis : {}),
      });
    };
    before("start it for the first time", async () => {
      await start();
      const url = await installing.installation.databaseUrl();
      db = openPool({ url, maxConnections: 4, name: "test" });
    });
    after("keep the database", async () => {
      await db.destroy();
    });
    beforeEach("make a customer with a webhook", async () => {
      const { receiver } = receiving;
      receiver.answerWith(() => ({ status: 200, delayMs: 40 }));
      customer = await aCustomer(db, installing.installation);
      watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
    });

    const seesMore = (count: number): Promise<void> =>
      receiving.receiver.sees(receiving.receiver.requests.length + count, {
        timeoutMs: 20_000,
        everyMs: 1,
      });
    const reconcileFor = (accepted: readonly number[]): Promise<DeliveryCounts> =>
      reconcileDeliveries({
        db,
        enterpriseId: customer.enterpriseId,
        receiver: receiving.receiver,
        watching,
        accepted,
        timeoutMs: 30_000,
      });

    it("killed and restarted, loses nothing; only requests in flight are sent twice", async () => {
      const load = loads.start(customer);
      const wasInFlight = new Set<string>();
      for (let round = 0; round < rounds; round += 1) {
        await seesMore(chance.between(20, 80));
        const postgres = await installing.installation.postgresPid();
        await running.kill();
        (await listInFlight(db)).forEach((id) => wasInFlight.add(id));
        await start();
        expect(await installing.installation.postgresPid()).to.equal(postgres);
      }
      await load.stop();
      const found = await reconcileFor(load.accepted);
      const strangers = found.twice.filter((name) => !wasInFlight.has(name.split(" ")[1] ?? ""));
      expect(strangers).to.deep.equal([]);
    });

    it("restarts its killed Postgres, and continues without intervention", async () => {
      const { installation } = installing;
      const load = loads.start(customer);
      await seesMore(chance.between(20, 80));
      const postgres = await installation.postgresPid();
      process.kill(postgres ?? 0, "SIGKILL");
      const accepted = load.accepted.length;
      await eventually(
        async () => {
          expect(await installation.postgresPid())
            .to.be.a("number")
            .and.not.equal(postgres);
          expect(load.accepted.length).to.be.greaterThan(accepted + 5);
        },
        { timeoutMs: 20_000 },
      );
      await load.stop();
      const found = await reconcileFor(load.accepted);
      expect(found.twice).to.deep.equal([]);
      expect(running.isRunning()).to.equal(true);
    });
  });
});
