/**
 * Postgres may be unavailable for longer than the lease of a delivery: workers keep their results
 * until they can store them, so nothing is sent twice, and every process recovers without
 * intervention.
 */
import { expect } from "chai";
import { onBackend } from "../support/backends.ts";
import { aCustomer } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useLoads } from "../support/load.ts";
import { freePort } from "../support/free-port.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { roles, useStack, type Environment } from "../support/stack.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../support/tcp-proxy.ts";

const leaseSeconds = 4;
const awayMs = 2 * leaseSeconds * 1_000;

onBackend("postgres", (kind) => {
  describe("a Postgres outage longer than a lease", function () {
    this.timeout(120_000);
    let proxy: TcpProxy;
    const { processes, database, stack } = useStack(kind, (): Environment => ({
      DATABASE_URL: throughProxy(database.url, proxy),
      DELIVERY_TIMEOUT_MS: "3000",
      DELIVERY_LEASE_SECONDS: String(leaseSeconds),
    }));
    const receiving = useReceiver();
    const loads = useLoads();
    before("start the processes", async () => {
      proxy = createTcpProxy(await freePort(), Number(new URL(database.url).port));
      await proxy.open();
      await stack.startAll();
    });
    after("close the proxy", async () => {
      await proxy.close();
    });

    it("sends nothing twice: workers keep their results during the outage", async () => {
      const { receiver } = receiving;
      const customer = await aCustomer(database.db, stack);
      const watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
      receiver.answerWith(() => ({ status: 200, delayMs: 200 }));
      const pids = roles.map((role) => stack.current(role).pid);
      const load = loads.start(customer);
      await receiver.sees(60, { timeoutMs: 20_000 });
      await eventually(() => receiver.openRequests > 3, { everyMs: 1 });
      await proxy.close();
      const awaySince = performance.now();
      await eventually(() => performance.now() - awaySince > awayMs, { timeoutMs: awayMs * 2 });
      await proxy.open();
      const accepted = load.accepted.length;
      await eventually(() => load.accepted.length > accepted + 5, { timeoutMs: 15_000 });
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
      expect(processes.running.map((one) => one.pid)).to.have.members(pids);
    });
  });
});
