import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { startDelivery } from "../../../src/compose/roles.ts";
import type { EnqueuedDelivery } from "../../../src/pipeline/ledger/enqueue-due.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { onBothBackends } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise } from "../../support/factories.ts";
import { fanOutAll, openLimits, readLedger } from "../../support/ledger.ts";
import { aReceivingSubscription, aTicketEvent, startPipeline } from "../../support/pipeline.ts";
import { useReceiver } from "../../support/receiver.ts";
import { useRedis } from "../../support/redis.ts";

onBothBackends((kind) => {
  describe("new deliveries of a relay in the process of the worker", () => {
    const database = useDatabase();
    const redis = useRedis();
    const hook = useReceiver();
    const closers: (() => Promise<void>)[] = [];
    afterEach("stop the workers", async () => {
      for (const close of closers.splice(0)) {
        await close();
      }
    });

    /** A worker, and the deliveries that it has handed to the queue, in place of which they stay here. */
    const begin = async (env: Record<string, string> = {}, answer = Promise.resolve()) => {
      const pipeline = await startPipeline({ kind, database, redis, env, roles: [] });
      closers.push(() => pipeline.stop());
      const { platform, publish } = pipeline;
      const { queue, dispatcher } = platform.openQueue();
      const queued: EnqueuedDelivery[] = [];
      const dispatch = async (some: readonly EnqueuedDelivery[]) => {
        await (some.length === 0 ? undefined : answer);
        queued.push(...some);
      };
      const worker = startDelivery({
        ...platform,
        openQueue: () => ({ queue, dispatcher: { ...dispatcher, dispatch } }),
      });
      const { id: owner } = await anEnterprise(database.db);
      const { id } = await aReceivingSubscription(database.db, {
        ...{ enterpriseId: owner, url: hook.receiver.url },
      });
      /** Publishes changes of different tickets, and fans them out. */
      const fanOut = async (count: number, reservedMs = 3_000) => {
        const tickets = Array.from({ length: count }, (_, index) => index + 1);
        return fanOutChangesOf(tickets, reservedMs);
      };
      const fanOutChangesOf = async (tickets: readonly number[], reservedMs = 3_000) => {
        await publish(tickets.map((ticket) => aTicketEvent(owner, ticket)));
        const now = platform.clock.now();
        return fanOutAll(database.db, { ...openLimits(now), reservedMs });
      };
      const statesOf = async () => (await readLedger(database.db, id)).map(({ state }) => state);
      return { worker, queued, fanOut, fanOutChangesOf, statesOf };
    };

    it("start at once in free slots, without jobs", async () => {
      const { worker, queued, fanOut, statesOf } = await begin();
      await worker.dispatch(await fanOut(3));
      await eventually(async () =>
        expect(await statesOf()).to.deep.equal(["delivered", "delivered", "delivered"]),
      );
      expect(queued).to.deep.equal([]);
      expect(hook.receiver.requests).to.have.length(3);
    });

    it("become jobs where the slots are taken", async () => {
      const { worker, queued, fanOut } = await begin({ DELIVERY_CONCURRENCY: "2" });
      const deliveries = await fanOut(3);
      await worker.dispatch(deliveries);
      expect(queued).to.deep.equal(deliveries.slice(2));
      await hook.receiver.sees(2);
    });

    it("become jobs if they are not fresh, because they have to be claimed", async () => {
      const { worker, queued, fanOut } = await begin();
      const deliveries = await fanOut(1, 0);
      await worker.dispatch(deliveries);
      expect(deliveries).to.have.length(1);
      expect(queued).to.deep.equal(deliveries);
    });

    it("become jobs while the worker stops, which waits for those that run", async () => {
      const { worker, queued, fanOut, statesOf } = await begin();
      hook.receiver.answerWith([{ status: 200, delayMs: 300 }]);
      await worker.dispatch(await fanOut(1));
      await hook.receiver.sees(1);
      const stopped = worker.stop(5_000);
      const late = await fanOut(1);
      await worker.dispatch(late);
      expect(queued).to.deep.equal(late);
      await stopped;
      expect((await statesOf())[0]).to.equal("delivered");
    });

    it("let others go whose jobs the worker adds before it has stopped, if there is time", async () => {
      const graceMs = 1_500;
      let answer = (): void => undefined;
      const hangs = new Promise<void>((resolve) => (answer = resolve));
      const { worker, queued, fanOutChangesOf, statesOf } = await begin({}, hangs);
      hook.receiver.answerWith([{ status: 200, delayMs: 300 }]);
      await worker.dispatch(await fanOutChangesOf([1, 1]));
      await hook.receiver.sees(1);
      await setImmediate(); // timers count from the start of the turn
      const startedAt = performance.now();
      await worker.stop(graceMs);
      expect(performance.now() - startedAt).to.be.at.least(graceMs - 1);
      expect(await statesOf()).to.deep.equal(["delivered", "queued"]);
      expect(queued).to.deep.equal([]);
      answer();
      await worker.stop(graceMs);
      expect(queued).to.have.length(1);
    });

    it("are due again if their receiver leaves all requests without an answer", async () => {
      hook.receiver.answerWith(["hang"]);
      const { worker, queued, fanOut, statesOf } = await begin({
        DELIVERY_TIMEOUT_MS: "20000",
        DELIVERY_LEASE_SECONDS: "60",
        DELIVERY_SLOW_CONCURRENCY: "16",
      });
      const deliveries = await fanOut(7);
      await worker.dispatch(deliveries.slice(0, 6));
      await hook.receiver.sees(6);
      const readWindow = async () =>
        (
          await rowsOf<{ window_size: number }>(
            database.db,
            "SELECT window_size FROM subscription_health ORDER BY subscription_id DESC LIMIT 1",
          )
        )[0]?.window_size;
      await eventually(async () => expect(Number(await readWindow())).to.equal(4));
      await worker.dispatch(deliveries.slice(6));
      await eventually(async () => expect((await statesOf()).at(-1)).to.equal("pending"));
      expect(queued).to.deep.equal([]);
      expect(hook.receiver.started).to.equal(6);
      hook.receiver.answerWith([200]);
    });

    it("become jobs after a fault of our own, and have to be claimed: they may have been sent", async () => {
      const { worker, queued, fanOut } = await begin();
      const deliveries = await fanOut(1);
      await rowsOf(database.db, "ALTER TABLE subscriptions RENAME COLUMN url TO url2");
      try {
        await worker.dispatch(deliveries);
        const claimable = deliveries.map(({ deliveryId, generation, object, fresh }) => ({
          ...{ deliveryId, generation, object },
          subscriptionId: fresh?.subscriptionId,
        }));
        await eventually(() => expect(queued).to.deep.equal(claimable));
      } finally {
        await rowsOf(database.db, "ALTER TABLE subscriptions RENAME COLUMN url2 TO url");
      }
      expect(hook.receiver.requests).to.have.length(0);
    });
  });
});
