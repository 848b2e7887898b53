import { expect } from "chai";
import type { ObjectKind } from "../../../src/contracts/events.ts";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import {
  SlowReceivers,
  type SlowReceiversDeps,
} from "../../../src/pipeline/delivery/slow-receivers.ts";
import type { NarrowedWindow } from "../../../src/pipeline/ledger/health.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { eventually } from "../../support/eventually.ts";

describe("the slow receivers of a worker", () => {
  const setUp = (more: Partial<SlowReceiversDeps> = {}) => {
    let nowMs = 0;
    const narrowed: NarrowedWindow[] = [];
    const requeued: number[] = [];
    const receivers = new SlowReceivers({
      capacity: 80,
      slowAfterMs: 500,
      narrow: async (window) => void narrowed.push(window),
      requeue: async ({ deliveryId }) => void requeued.push(deliveryId),
      log: createLogger("silent", "test"),
      now: () => nowMs,
      ...more,
    });
    let lastId = 0;
    const jobFor = (subscriptionId: number, object: ObjectKind = "ticket") => {
      lastId += 1;
      const fresh = {
        ...{ subscriptionId, object, revision: 1, sequence: lastId },
        ...{ eventId: `evt_${lastId}`, body: "{}", occurredAt: 0, queuedAt: 0 },
      };
      return { deliveryId: lastId, generation: 1, fresh };
    };
    const ends: (() => void)[] = [];
    const running: Promise<void>[] = [];
    const hang = () => new Promise<void>((resolve) => ends.push(resolve));
    /** Starts requests of deliveries that are claimed already. */
    const start = (subscriptionId: number, count = 1): void => {
      for (let i = 0; i < count; i += 1) {
        const { deliveryId, fresh } = jobFor(subscriptionId);
        running.push(receivers.watch({ ...fresh, deliveryId }, hang));
      }
    };
    /** What the receiver may have; undefined if the job was let through. */
    const limitOf = async (subscriptionId: number, object?: ObjectKind) => {
      const count = narrowed.length;
      const job = jobFor(subscriptionId, object);
      let hasRun = false;
      await receivers.handle(job, async () => {
        hasRun = true;
      });
      expect(requeued.includes(job.deliveryId)).to.equal(!hasRun);
      return narrowed.slice(count).find((window) => window.subscriptionId === subscriptionId)?.size;
    };
    const endAll = async (): Promise<void> => {
      ends.splice(0).forEach((end) => end());
      await Promise.all(running.splice(0));
    };
    const advance = (ms: number): void => {
      nowMs += ms;
    };
    return {
      receivers,
      jobFor,
      start,
      limitOf,
      hang,
      endAll,
      advance,
      narrowed,
      requeued,
      ends,
      running,
    };
  };

  it("are not limited while their requests are quick", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(2, 10);
    advance(1);
    start(1, 60);
    advance(499);
    expect(await limitOf(1)).to.equal(undefined);
    expect(await limitOf(2)).to.equal(8);
    await endAll();
  });

  it("get an eighth of the room that is left", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 10);
    advance(500);
    expect(await limitOf(1)).to.equal(8);
    start(2, 7);
    start(3, 6);
    advance(500);
    expect(await limitOf(1)).to.equal(7);
    expect(await limitOf(2), "has its share").to.equal(7);
    expect(await limitOf(3), "has less than its share").to.equal(undefined);
    await endAll();
  });

  it("keep a request each, whatever there is", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 90);
    start(2, 1);
    advance(500);
    expect(await limitOf(1)).to.equal(1);
    expect(await limitOf(2)).to.equal(1);
    expect(await limitOf(3)).to.equal(undefined);
    await endAll();
  });

  it("share with all others when half of the room is used", async () => {
    const { receivers, jobFor, start, limitOf, hang, endAll, advance, requeued, running } = setUp();
    start(1, 39);
    advance(500);
    start(2, 5);
    expect(await limitOf(2), "there is room").to.equal(undefined);
    start(1, 1);
    advance(500);
    // Those that are about to start are counted, too.
    const jobs = Array.from({ length: 6 }, () => jobFor(3));
    running.push(...jobs.map((job) => receivers.handle(job, hang)));
    await eventually(() =>
      expect(requeued).to.deep.equal(jobs.slice(4).map(({ deliveryId }) => deliveryId)),
    );
    await endAll();
    expect(await limitOf(3)).to.equal(undefined);
  });

  it("are counted once per request, from its job to its end", async () => {
    const { receivers, jobFor, limitOf, hang, endAll, advance, running } = setUp();
    const jobs = Array.from({ length: 9 }, () => jobFor(1));
    const send = ({ deliveryId, fresh }: (typeof jobs)[number]) =>
      receivers.watch({ ...fresh, deliveryId }, hang);
    running.push(...jobs.map((job) => receivers.handle(job, () => send(job))));
    advance(500);
    expect(await limitOf(1)).to.equal(8);
    await endAll();
    expect(await limitOf(1)).to.equal(undefined);
  });

  it("do not limit jobs that were due before, which the ledger lets go a few at a time", async () => {
    const { receivers, start, endAll, advance } = setUp();
    start(1, 90);
    advance(500);
    const handled: DeliverJob[] = [];
    const job = { deliveryId: 1_000, generation: 2 };
    await receivers.handle(job, async (one) => void handled.push(one));
    expect(handled).to.deep.equal([job]);
    await endAll();
  });

  it("are limited per queue", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 20);
    advance(500);
    expect(await limitOf(1)).to.equal(7);
    expect(await limitOf(1, "media")).to.equal(undefined);
    await endAll();
  });

  it("are not limited any more once they have answered", async () => {
    const { start, limitOf, endAll, advance } = setUp();
    start(1, 20);
    advance(500);
    expect(await limitOf(1)).to.equal(7);
    await endAll();
    expect(await limitOf(1)).to.equal(undefined);
  });

  it("pass results and errors on", async () => {
    const { receivers, jobFor } = setUp();
    const { deliveryId, fresh } = jobFor(1);
    const one = { ...fresh, deliveryId };
    expect(await receivers.watch(one, async () => "an answer")).to.equal("an answer");
    const failure = await receivers.watch(one, () => Promise.reject(new Error("no"))).catch(String);
    expect(failure).to.equal("Error: no");
  });

  it("get four requests if they leave as many without an answer for a second", async () => {
    const { start, endAll, advance, narrowed } = setUp();
    start(1, 4);
    start(2, 3);
    advance(1_000);
    await eventually(() => expect(narrowed).to.deep.equal([{ subscriptionId: 1, size: 4 }]));
    start(3, 4);
    advance(1_000);
    const later = [
      { subscriptionId: 1, size: 4 },
      { subscriptionId: 3, size: 4 },
    ];
    await eventually(() => expect(narrowed, "once").to.deep.equal(later));
    await endAll();
  });

  it("keep their window if one of their requests was answered", async () => {
    const { start, ends, endAll, advance, narrowed, running } = setUp();
    start(1, 6);
    start(2, 4);
    advance(600);
    ends[0]!();
    await running[0];
    advance(400);
    await eventually(() => expect(narrowed).to.deep.equal([{ subscriptionId: 2, size: 4 }]));
    advance(600);
    await eventually(() => expect(narrowed[1]).to.deep.equal({ subscriptionId: 1, size: 4 }));
    await endAll();
  });

  it("have their windows narrowed at the next tick if it failed", async () => {
    let calls = 0;
    const { start, endAll, advance } = setUp({
      narrow: async () => {
        calls += 1;
        if (calls === 1) {
          throw new Error("Postgres is away");
        }
      },
    });
    start(1, 4);
    advance(1_000);
    await eventually(() => expect(calls).to.equal(2));
    await endAll();
  });
});
