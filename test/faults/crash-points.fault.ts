/**
 * A `kill -9` between any two external state changes loses nothing that was accepted. A duplicate,
 * with the same `webhook-id`, occurs only if a worker died between a receiver's response and the
 * settlement.
 *
 * Points: the relay, and a worker that stands in for it, between commit and dispatch; the worker before the send, after the send and
 * after the settlement; the API before and after its commit.
 */
import { expect } from "chai";
import { objectKinds } from "../../src/contracts/events.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { onBackend } from "../support/backends.ts";
import { aCustomer, type Customer, type Watching } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useReceiver } from "../support/receiver.ts";
import { reconcileDeliveries, type DeliveryCounts } from "../support/reconcile-deliveries.ts";
import { openRedis } from "../support/redis.ts";
import { roles, useStack, type Role, type RoleProcess } from "../support/stack.ts";

onBackend("redis", (kind) => {
  describe("a kill -9 at a chosen crash point", function () {
    this.timeout(60_000);
    const { database, redis, stack } = useStack(kind);
    const receiving = useReceiver();
    let customer: Customer;
    let watching: Watching;
    before("start the processes", async () => {
      await stack.startAll();
      await isKnownToTheSweeper();
    });
    /**
     * Waits until the sweeper knows this Redis. A new Redis counts as data loss, which is not the
     * subject of this test.
     */
    const isKnownToTheSweeper = async (): Promise<void> => {
      if (kind === "redis") {
        const client = openRedis();
        try {
          await eventually(
            async () =>
              (await client.keys(`*${redis.prefix}*:epoch`)).length === objectKinds.length,
            { timeoutMs: 20_000 },
          );
        } finally {
          client.disconnect();
        }
      }
    };
    let crashing: RoleProcess | undefined;
    beforeEach("restart killed processes, and make a customer with a webhook", async () => {
      await crashing?.kill();
      const dead = roles.filter((role) => !stack.current(role).isRunning());
      await Promise.all(dead.map((role) => stack.start(role)));
      customer = await aCustomer(database.db, stack);
      watching = await customer.watchAll(receiving.receiver);
    });

    /** Replaces the role's process by one that exits when it first reaches this point. */
    const startCrashing = async (
      role: Role,
      point: string,
      env: Readonly<Record<string, string>> = {},
    ): Promise<void> => {
      await stack.current(role).stop();
      crashing = await stack.start(role, { FAULT_AT: point, ...env });
    };
    const itDies = async (): Promise<void> => {
      expect(await crashing?.ended).to.deep.equal({ code: null, signal: "SIGKILL" });
    };
    const reconcileFor = (accepted: readonly number[]): Promise<DeliveryCounts> =>
      reconcileDeliveries({
        db: database.db,
        enterpriseId: customer.enterpriseId,
        receiver: receiving.receiver,
        watching: [watching],
        accepted,
      });
    const statesOf = async (): Promise<string[]> => {
      const rows = await rowsOf<{ state: string }>(
        database.db,
        "SELECT state FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
        [watching.id],
      );
      return rows.map(({ state }) => state);
    };

    /** Until a delivery process stands in for the relay. */
    const untilStandIn = async (): Promise<void> => {
      const client = openRedis();
      const channel = `${redis.prefix}:wake:outbox:stand-in`;
      try {
        await eventually(async () =>
          expect(await client.pubsub("NUMSUB", channel)).to.deep.equal([channel, 1]),
        );
      } finally {
        client.disconnect();
      }
    };

    it("of a worker that stands in for the relay, between commit and send: sent once", async () => {
      await startCrashing("delivery", "relay.afterCommit");
      await untilStandIn();
      const ticket = await customer.createTicket();
      await itDies();
      expect(receiving.receiver.requests).to.have.length(0);
      expect(await statesOf()).to.deep.equal(["queued", "pending", "pending"]);
      await stack.start("delivery");
      const found = await reconcileFor([ticket]);
      // The sweeper has to assume that it was sent.
      expect(found).to.include({ deliveries: 3, requests: 3, interrupted: 1 });
    });

    it("of the relay between commit and dispatch: other processes send it once", async () => {
      await stack.current("delivery").stop();
      const delivery = await stack.start("delivery", { RELAY_STAND_IN: "false" });
      await startCrashing("relay", "relay.afterCommit");
      const ticket = await customer.createTicket();
      await itDies();
      expect(receiving.receiver.requests).to.have.length(0);
      expect(await statesOf()).to.deep.equal(["queued", "pending", "pending"]);
      const found = await reconcileFor([ticket]);
      await stack.start("relay");
      // The sweeper has to assume that a worker had the job and may have sent it.
      expect(found).to.include({ deliveries: 3, requests: 3, interrupted: 1 });
      await delivery.kill();
    });

    it("of the worker after the claim, before the send: sent once, by the next worker", async () => {
      await startCrashing("delivery", "delivery.afterClaim");
      const ticket = await customer.createTicket();
      await itDies();
      expect(receiving.receiver.requests).to.have.length(0);
      expect(await statesOf()).to.deep.equal(["queued", "pending", "pending"]);
      await stack.start("delivery");
      const found = await reconcileFor([ticket]);
      expect(found).to.include({ deliveries: 3, requests: 3, interrupted: 1 });
    });

    it("of the worker after the send: only that one is sent again, with the same webhook-id", async () => {
      await startCrashing("delivery", "delivery.afterSend");
      const ticket = await customer.createTicket();
      await itDies();
      expect(receiving.receiver.requests).to.have.length(1);
      const [first] = receiving.receiver.requests;
      expect(await statesOf()).to.deep.equal(["queued", "pending", "pending"]);
      await stack.start("delivery");
      const found = await reconcileFor([ticket]);
      expect(found).to.include({ deliveries: 3, requests: 4, interrupted: 1 });
      expect(found.twice).to.deep.equal([`${watching.path} ${first?.id}`]);
    });

    it("of the worker between settlement and dispatch: nothing is sent again", async () => {
      await startCrashing("delivery", "delivery.afterSettle");
      const ticket = await customer.createTicket();
      await itDies();
      expect(receiving.receiver.requests).to.have.length(1);
      expect((await statesOf())[0]).to.equal("delivered");
      await stack.start("delivery");
      const found = await reconcileFor([ticket]);
      expect(found).to.include({ deliveries: 3, requests: 3, interrupted: 0 });
    });

    it("of the worker with many requests in flight: at most those are sent twice", async () => {
      const { receiver } = receiving;
      const tickets = await Promise.all(Array.from({ length: 8 }, () => customer.createTicket()));
      await reconcileFor(tickets);
      receiver.answerWith(() => ({ status: 200, delayMs: 1_000 }));
      // Longer than eight tickets take on a busy machine; expired leases are tested below.
      await startCrashing("delivery", "delivery.afterSend", { DELIVERY_LEASE_SECONDS: "10" });
      const more = await Promise.all(Array.from({ length: 8 }, () => customer.createTicket()));
      await itDies();
      const states = await statesOf();
      const inFlight = states.filter((state) => ["queued", "sending"].includes(state)).length;
      expect(inFlight).to.be.greaterThan(1);
      receiver.answerWith([200]);
      await stack.start("delivery");
      const found = await reconcileFor([...tickets, ...more]);
      expect(found.interrupted).to.be.at.most(inFlight);
      expect(found.twice.length).to.be.within(1, inFlight);
      expect(found.requests - found.deliveries).to.equal(found.twice.length);
    });

    it("of the API before its commit: nothing happened, and a repeated request works", async () => {
      const headers = { "Idempotency-Key": "before-commit" };
      await startCrashing("web", "api.beforeCommit");
      const failure = await customer.createTicket(headers).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      await itDies();
      await stack.start("web");
      const ticket = await customer.createTicket(headers);
      const found = await reconcileFor([ticket]);
      expect(found).to.include({ events: 3, deliveries: 3, requests: 3 });
    });

    it("of the API after its commit: one event, and a repeated request gets the same id", async () => {
      const headers = { "Idempotency-Key": "after-commit" };
      await startCrashing("web", "api.afterCommit");
      const failure = await customer.createTicket(headers).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error);
      await itDies();
      await receiving.receiver.sees(3);
      await stack.start("web");
      const ticket = await customer.createTicket(headers);
      const found = await reconcileFor([ticket]);
      expect(found).to.include({ events: 3, deliveries: 3, requests: 3 });
    });
  });
});
