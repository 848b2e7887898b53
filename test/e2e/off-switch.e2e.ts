/**
 * The off switch: no request of a subscription starts later than one second after the response to
 * the call that disabled it; its backlog is kept, and is sent in full after it is enabled again.
 * Other receivers are not affected.
 */
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { onBackend } from "../support/backends.ts";
import { aCustomer, type Watching } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useLoads } from "../support/load.ts";
import { startReceiver, useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries } from "../support/reconcile-deliveries.ts";
import { useStack } from "../support/stack.ts";
import { promised } from "../support/promised.ts";

const promisedMs = 1_000;

onBackend("redis", (kind) => {
  describe("switching a webhook off", function () {
    this.timeout(120_000);
    const { database, stack } = useStack(kind);
    const receiving = useReceiver();
    const loads = useLoads();
    before("start the processes", async () => {
      await stack.startAll();
    });

    const statesOf = async ({ id }: Watching): Promise<Record<string, number>> => {
      const rows = await rowsOf<{ state: string; count: number }>(
        database.db,
        "SELECT state, count(*) AS count FROM deliveries WHERE subscription_id = ? GROUP BY state",
        [id],
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    };

    it("stops the requests immediately and keeps the backlog", async () => {
      const { receiver } = receiving;
      const other = await startReceiver();
      try {
        const customer = await aCustomer(database.db, stack);
        const watching = await customer.watchAll(receiver);
        const bystander = await aCustomer(database.db, stack);
        const bystanding = await bystander.watchAll(other);
        // Slow enough that the concurrency window limits the throughput below the event rate, so
        // that a backlog builds up.
        receiver.answerWith(() => ({ status: 200, delayMs: 150 }));
        const load = loads.start(bystander, { callers: 2 });
        const publishing = loads.publish(database.db, customer.enterpriseId);
        await receiver.sees(200, { timeoutMs: 15_000 });
        await publishing.stop();

        await customer.api.succeed(`PATCH /webhooks/${watching.id}`, { body: { active: false } });
        const switchedOffAt = Date.now();

        const last = other.requests.length;
        await eventually(() => {
          const times = other.requests.slice(last).map((one) => one.receivedAt.getTime());
          expect(Math.max(0, ...times)).to.be.greaterThan(
            switchedOffAt + promised(promisedMs) + 1_500,
          );
        });
        const times = receiver.requests.map((one) => one.receivedAt.getTime());
        // The receiver's timestamps are taken in this process, which other tests keep busy.
        const bound = promised(promisedMs) + 1_000;
        expect(Math.max(...times) - switchedOffAt).to.be.at.most(bound);
        await eventually(async () => {
          const { paused = 0, delivered = 0, ...rest } = await statesOf(watching);
          expect(rest).to.deep.equal({});
          expect(paused).to.be.greaterThan(0);
          expect(paused + delivered).to.equal(publishing.committed);
          expect(receiver.requests).to.have.length(delivered);
        });

        await customer.api.succeed(`PATCH /webhooks/${watching.id}`, { body: { active: true } });
        await load.stop();
        const found = await reconcileDeliveries({
          db: database.db,
          enterpriseId: customer.enterpriseId,
          receiver,
          watching: [watching],
          accepted: [],
          timeoutMs: 60_000,
        });
        expect(found).to.include({ events: publishing.committed, interrupted: 0 });
        expect(found.twice).to.deep.equal([]);
        const others = await reconcileDeliveries({
          db: database.db,
          enterpriseId: bystander.enterpriseId,
          receiver: other,
          watching: [bystanding],
          accepted: load.accepted,
        });
        expect(others.twice).to.deep.equal([]);
      } finally {
        await other.close();
      }
    });
  });
});
