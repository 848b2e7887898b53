/** A second signal ends a process immediately, at the cost of repeated requests. */
import { expect } from "chai";
import { onBackend } from "../support/backends.ts";
import { aCustomer } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { useStack } from "../support/stack.ts";
import { promised } from "../support/promised.ts";

onBackend("postgres", (kind) => {
  describe("a second signal", function () {
    this.timeout(120_000);
    const { database, stack } = useStack(kind, () => ({
      ...{ DELIVERY_TIMEOUT_MS: "8000", DELIVERY_LEASE_SECONDS: "16" },
    }));
    const receiving = useReceiver();
    before("start the processes", async () => {
      await stack.startAll();
    });

    it("waits for a receiver at the first signal, and exits immediately at the second", async () => {
      const { receiver } = receiving;
      const customer = await aCustomer(database.db, stack);
      const watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
      receiver.answerWith((_request, call) => (call === 1 ? "hang" : 200));
      const ticket = await customer.createTicket();
      await receiver.sees(1);
      const worker = stack.current("delivery");
      const startedAt = performance.now();
      worker.signal("SIGTERM");
      // An immediate repetition of a signal comes from the terminal; only a later one is intended.
      await eventually(async () => {
        expect(performance.now() - startedAt).to.be.greaterThan(1_000);
      });
      expect(worker.isRunning()).to.equal(true);
      worker.signal("SIGTERM");
      expect(await worker.ended).to.deep.equal({ code: 143, signal: null });
      expect(performance.now() - startedAt).to.be.lessThan(promised(2_500));
      await stack.start("delivery");
      const found = await reconcileDeliveries({
        db: database.db,
        enterpriseId: customer.enterpriseId,
        receiver,
        watching,
        accepted: [ticket],
      });
      // The process died without an answer, so the one request in flight is sent again.
      expect(found.twice).to.have.length(1);
    });
  });
});
