/**
 * An immediate restart of Postgres under load (no checkpoint, all connections closed) loses nothing
 * that was answered with 2xx, causes no duplicates, and requires no restart of any process.
 */
import { expect } from "chai";
import { openPool, type Db } from "../../src/platform/db/pool.ts";
import { onBackend } from "../support/backends.ts";
import { useChance } from "../support/chance.ts";
import { aCustomer } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useLoads } from "../support/load.ts";
import { startPostgresServer, type PostgresServer } from "../support/postgres-server.ts";
import { useProcesses } from "../support/processes.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { useRedis } from "../support/redis.ts";
import { createStack, roles, type Stack } from "../support/stack.ts";

const restarts = 2;
/** Time from Postgres's first response to the first delivery. */
const recoverWithinMs = 10_000;

onBackend("redis", (kind) => {
  describe("Postgres restarted immediately under load", function () {
    this.timeout(120_000);
    const processes = useProcesses();
    const redis = useRedis();
    const receiving = useReceiver();
    const loads = useLoads();
    const chance = useChance();
    let postgres: PostgresServer;
    let db: Db;
    let stack: Stack;
    before("start a Postgres and the processes", async () => {
      // Commits must survive a crash of Postgres, but not of the machine.
      postgres = await startPostgresServer({ synchronous_commit: "on" });
      db = openPool({ url: postgres.url, maxConnections: 4, name: "test" });
      stack = createStack({ kind, processes, database: postgres, redis });
      await stack.release();
      await stack.startAll();
    });
    after("stop the Postgres", async () => {
      await db.destroy();
      await postgres.stop();
    });

    it("keeps everything acknowledged, and every process continues without intervention", async () => {
      const { receiver } = receiving;
      const customer = await aCustomer(db, stack);
      const watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
      receiver.answerWith(() => ({ status: 200, delayMs: 60 }));
      const pids = roles.map((role) => stack.current(role).pid);
      const load = loads.start(customer);
      for (let restart = 0; restart < restarts; restart += 1) {
        const killAt = receiver.requests.length + chance.between(40, 120);
        await receiver.sees(killAt, { timeoutMs: 20_000, everyMs: 1 });
        await postgres.restartImmediately();
        const backAt = Date.now();
        const accepted = load.accepted.length;
        await eventually(
          () => {
            const [last] = receiver.requests.slice(-1);
            expect(last?.receivedAt.getTime()).to.be.greaterThan(backAt);
            expect(load.accepted.length).to.be.greaterThan(accepted + 5);
          },
          { timeoutMs: recoverWithinMs },
        );
      }
      await load.stop();
      const found = await reconcileDeliveries({
        db,
        enterpriseId: customer.enterpriseId,
        receiver,
        watching,
        accepted: load.accepted,
        timeoutMs: 30_000,
      });
      expect(found.twice).to.deep.equal([]);
      expect(load.refused).to.be.greaterThan(0);
      expect(processes.running.map((one) => one.pid)).to.have.members(pids);
    });
  });
});
