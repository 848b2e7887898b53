/**
 * A graceful stop under load loses and duplicates nothing, and every process may run several times:
 * two relays, two schedules, two delivery workers and two web processes share the work without
 * doing any of it twice, and a new set may replace the old one while clients continue.
 */
import { expect } from "chai";
import { onBackend } from "../support/backends.ts";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { useLoads, type Load } from "../support/load.ts";
import { promised } from "../support/promised.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries, type DeliveryCounts } from "../support/reconcile-deliveries.ts";
import { roles, useStack, type RoleProcess } from "../support/stack.ts";

/** Upper limit for a stop: the grace period is 10 s, and a receiver has 5 s to answer. */
const stopWithinMs = 8_000;

onBackend("redis", (kind) => {
  describe("stopping and replacing processes under load", function () {
    this.timeout(120_000);
    const { database, stack } = useStack(kind, () => ({
      // Long time-outs, so that a busy machine does not count as a failing receiver.
      ...{ DELIVERY_TIMEOUT_MS: "5000", DELIVERY_LEASE_SECONDS: "10" },
    }));
    const receiving = useReceiver();
    const loads = useLoads();
    let customer: Customer;
    let watching: Watching[];
    before("start the processes", async () => {
      await stack.startAll();
    });
    beforeEach("make a customer with a slow receiver", async () => {
      const { receiver } = receiving;
      customer = await aCustomer(database.db, stack);
      watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
      receiver.answerWith(() => ({ status: 200, delayMs: 60 }));
    });

    const currentOnes = (): RoleProcess[] => roles.map((role) => stack.current(role));
    const reconcileLoad = (load: Load): Promise<DeliveryCounts> =>
      reconcileDeliveries({
        db: database.db,
        enterpriseId: customer.enterpriseId,
        receiver: receiving.receiver,
        watching,
        accepted: load.accepted,
      });
    const seesMore = (count: number): Promise<void> =>
      receiving.receiver.sees(receiving.receiver.requests.length + count, { timeoutMs: 15_000 });
    const stopsWell = async (one: RoleProcess): Promise<void> => {
      expect(await one.stop(promised(stopWithinMs)), one.role).to.deep.equal({
        code: 0,
        signal: null,
      });
    };
    const expectNothingTwice = (found: DeliveryCounts): void => {
      expect(found.twice).to.deep.equal([]);
      expect(found.interrupted).to.equal(0);
      expect(found.requests).to.equal(found.deliveries);
    };

    it("replaces two processes of each role at once: nothing lost or twice", async () => {
      const load = loads.start(customer);
      await seesMore(20);
      const first = currentOnes();
      await Promise.all(roles.map((role) => stack.start(role)));
      await seesMore(60);
      for (const one of first) {
        await stopsWell(one);
        await seesMore(20);
      }
      await load.stop();
      expect(load.refused).to.equal(0);
      expectNothingTwice(await reconcileLoad(load));
    });

    it("stops all of them at once and continues where they stopped", async () => {
      const { receiver } = receiving;
      const load = loads.start(customer);
      await seesMore(40);
      await Promise.all(currentOnes().map(stopsWell));
      expect(receiver.openRequests).to.equal(0);
      await stack.startAll();
      await seesMore(40);
      await load.stop();
      expectNothingTwice(await reconcileLoad(load));
    });
  });
});
