/**
 * The delivery process that stands in for the relay dies, hangs or stops. The relay or another
 * delivery process continues: every accepted event is delivered, once if nothing was being sent.
 */
import { expect } from "chai";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries, type DeliveryCounts } from "../support/reconcile-deliveries.ts";
import { useStack, type RoleProcess } from "../support/stack.ts";

/** Each ticket has an event of its own and two of its timeline. */
const eventsPerTicket = 3;

describe("a delivery process that stands in for the relay", function () {
  this.timeout(120_000);
  const { database, stack } = useStack("redis");
  const receiving = useReceiver();
  let workers: RoleProcess[];
  let customer: Customer;
  let watching: Watching;

  before("start two delivery processes", async () => {
    const { delivery } = await stack.startAll();
    workers = [delivery, await stack.start("delivery")];
  });
  beforeEach("make a customer with a webhook", async () => {
    customer = await aCustomer(database.db, stack);
    watching = await customer.watchAll(receiving.receiver);
  });

  const countEvents = async ({ url }: RoleProcess): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const counts = [...text.matchAll(/^webhook_events_total\{[^}]*\} (\d+)/gmu)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const reconcileFor = (accepted: readonly number[]): Promise<DeliveryCounts> =>
    reconcileDeliveries({
      db: database.db,
      enterpriseId: customer.enterpriseId,
      receiver: receiving.receiver,
      watching: [watching],
      accepted,
    });

  /** Creates tickets until a delivery process fans out all events of one. */
  const findStandIn = async (): Promise<{ standIn: RoleProcess; tickets: number[] }> => {
    const tickets: number[] = [];
    const standIn = await eventually(
      async () => {
        const before = await Promise.all(workers.map(countEvents));
        tickets.push(await customer.createTicket());
        await receiving.receiver.sees(tickets.length * eventsPerTicket);
        const after = await Promise.all(workers.map(countEvents));
        const found = workers.find(
          (_, index) => (after[index] ?? 0) - (before[index] ?? 0) === eventsPerTicket,
        );
        expect(found).not.to.equal(undefined);
        return found;
      },
      { timeoutMs: 30_000 },
    );
    return { standIn: standIn ?? workers[0]!, tickets };
  };

  it("is replaced by another one if it gets a kill -9", async () => {
    const { standIn, tickets } = await findStandIn();
    await reconcileFor(tickets); // results that are not stored yet would be lost with it
    await standIn.kill();
    tickets.push(await customer.createTicket());
    const found = await reconcileFor(tickets);
    expect(found).to.include({ interrupted: 0, requests: tickets.length * eventsPerTicket });
    workers = [...workers.filter((one) => one !== standIn), await stack.start("delivery")];
    const next = await findStandIn();
    expect(next.standIn).not.to.equal(standIn);
  });

  it("delays events, but loses none, if it hangs", async () => {
    const { standIn, tickets } = await findStandIn();
    standIn.signal("SIGSTOP");
    try {
      tickets.push(await customer.createTicket());
      const found = await reconcileFor(tickets);
      expect(found).to.include({ requests: tickets.length * eventsPerTicket });
    } finally {
      standIn.signal("SIGCONT");
    }
    tickets.push(await customer.createTicket());
    expect((await reconcileFor(tickets)).twice).to.deep.equal([]);
  });

  it("leaves its place before it stops", async () => {
    const { standIn, tickets } = await findStandIn();
    const stopped = standIn.stop();
    for (let count = 0; count < 20; count += 1) {
      tickets.push(await customer.createTicket());
    }
    await stopped;
    const found = await reconcileFor(tickets);
    expect(found).to.include({ interrupted: 0, requests: tickets.length * eventsPerTicket });
  });
});
