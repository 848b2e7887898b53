/**
 * A `kill -9` of all or some processes, at a random time under load, loses nothing that was
 * acknowledged; only requests in flight at that time may be sent twice. `FAULT_ROUNDS` sets the
 * number of rounds (1 by default, 30 in `npm run faults`).
 */
import { expect } from "chai";
import { onBackend } from "../support/backends.ts";
import { faultRounds, useChance } from "../support/chance.ts";
import { aCustomer } from "../support/customer.ts";
import { useLoads } from "../support/load.ts";
import { useReceiver } from "../support/receiver.ts";
import { listInFlight, reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { roles, useStack, type Role } from "../support/stack.ts";

const secondsPerRound = 15;

onBackend("redis", (kind) => {
  describe(`${faultRounds} times kill -9 at a random time under load`, function () {
    this.timeout((60 + faultRounds * secondsPerRound) * 1_000);
    const { database, stack } = useStack(kind);
    const receiving = useReceiver();
    const loads = useLoads();
    const chance = useChance();
    before("start the processes", async () => {
      await stack.startAll();
    });

    /** All processes in every second round, otherwise a random subset. */
    const chooseVictims = (round: number): readonly Role[] =>
      round % 2 === 0 ? roles : chance.some(roles);

    it("loses nothing, and only requests in flight are sent twice", async () => {
      const { receiver } = receiving;
      receiver.answerWith(() => ({ status: 200, delayMs: chance.between(0, 40) }));
      const customer = await aCustomer(database.db, stack);
      const watching = [await customer.watchAll(receiver), await customer.watchTickets(receiver)];
      const load = loads.start(customer);
      const wasInFlight = new Set<string>();
      for (let round = 0; round < faultRounds; round += 1) {
        const killAt = receiver.requests.length + chance.between(10, 150);
        await receiver.sees(killAt, { timeoutMs: 20_000, everyMs: 1 });
        const victims = chooseVictims(round).map((role) => stack.current(role));
        await Promise.all(victims.map((one) => one.kill()));
        if (victims.some(({ role }) => role === "delivery")) {
          (await listInFlight(database.db)).forEach((id) => wasInFlight.add(id));
        }
        await Promise.all(victims.map(({ role }) => stack.start(role)));
      }
      await load.stop();
      expect(load.accepted.length).to.be.greaterThan(faultRounds);
      const found = await reconcileDeliveries({
        db: database.db,
        enterpriseId: customer.enterpriseId,
        receiver,
        watching,
        accepted: load.accepted,
        timeoutMs: 30_000,
      });
      const strangers = found.twice.filter((name) => !wasInFlight.has(name.split(" ")[1] ?? ""));
      expect(strangers).to.deep.equal([]);
    });
  });
});
