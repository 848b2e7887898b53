import { expect } from "chai";
import { objectKinds } from "../../../src/contracts/events.ts";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import { createDispatcher } from "../../../src/pipeline/ledger/dispatcher.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise, anEvent, aSubscription } from "../../support/factories.ts";
import { claimAll, fanOutAll, readLedger } from "../../support/ledger.ts";

describe("the dispatcher", () => {
  const database = useDatabase();

  const setUp = (waiting = 0) => {
    const added: DeliverJob[] = [];
    const state = { isAway: false, waiting };
    const dispatcher = createDispatcher({
      db: database.db,
      clock: systemClock,
      log: createLogger("silent", "test"),
      highWater: 100,
      maxInFlight: 256,
      queue: {
        add: async (_object, failureHints) => {
          if (state.isAway) {
            throw new Error("away");
          }
          added.push(...failureHints);
        },
        counts: async () => {
          if (state.isAway) {
            throw new Error("away");
          }
          return { waiting: state.waiting, active: 0, delayed: 0, failed: 0 };
        },
      },
    });
    return { added, state, dispatcher };
  };
  const aDelivery = async () => {
    const { id: enterprise_id } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
    await anEvent(database.db, { enterprise_id });
    return { id, enqueued: await fanOutAll(database.db) };
  };

  it("dispatches nothing before the first poll of the queues", async () => {
    const { dispatcher } = setUp();
    expect(dispatcher.limits().closed).to.have.length(objectKinds.length);
    await dispatcher.refreshQueues();
    expect(dispatcher.limits().closed).to.deep.equal([]);
  });

  it("waits for queues that are not reachable yet, and not forever", async () => {
    const { dispatcher, state } = setUp();
    state.isAway = true;
    const waiting = dispatcher.untilOpen(new AbortController().signal);
    await new Promise(setImmediate);
    expect(dispatcher.limits().closed).to.have.length(objectKinds.length);
    state.isAway = false;
    await waiting;
    expect(dispatcher.limits().closed).to.deep.equal([]);
    const away = setUp();
    away.state.isAway = true;
    await away.dispatcher.untilOpen(new AbortController().signal);
    expect(away.dispatcher.limits().closed).to.have.length(objectKinds.length);
  });

  it("closes a full queue, and opens it again", async () => {
    const { dispatcher, state } = setUp(100);
    await dispatcher.refreshQueues();
    expect(dispatcher.limits().closed).to.have.length(objectKinds.length);
    state.waiting = 99;
    await dispatcher.refreshQueues();
    expect(dispatcher.limits().closed).to.deep.equal([]);
  });

  it("requeues deliveries whose jobs cannot be added, and closes their queue", async () => {
    const { dispatcher, state, added } = setUp();
    await dispatcher.refreshQueues();
    state.isAway = true;
    const { id, enqueued } = await aDelivery();
    await dispatcher.dispatch(enqueued);
    expect((await readLedger(database.db, id))[0]).to.include({ state: "pending", generation: 2 });
    expect(dispatcher.limits().closed).to.deep.equal(["ticket"]);
    // If the queue had stored the job despite the error, its generation would be outdated.
    expect(await claimAll(database.db, enqueued)).to.deep.equal([]);
    expect(added).to.deep.equal([]);
  });

  it("adds only ids and generations", async () => {
    const { dispatcher, added } = setUp();
    const { enqueued: enqueuedJobs } = await aDelivery();
    await dispatcher.dispatch(enqueuedJobs);
    const jobs = enqueuedJobs.map(({ deliveryId, generation, subscriptionId }) => ({
      ...{ deliveryId, generation, subscriptionId },
    }));
    expect(jobs).to.have.length(1);
    expect(added).to.deep.equal(jobs);
  });
});
