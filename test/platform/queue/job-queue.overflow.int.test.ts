import { expect } from "chai";
import { setImmediate as endOfTurn } from "node:timers/promises";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { openJobQueue, type JobQueue } from "../../../src/platform/queue/job-queue.ts";
import {
  startJobWorkers,
  type DeliveryWorkers,
  type OverflowOptions,
} from "../../../src/platform/queue/job-workers.ts";
import { backendOf, onBothBackends } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { useRedis } from "../../support/redis.ts";

const log = createLogger("silent", "test");

onBothBackends((kind) => {
  describe("slow jobs", () => {
    const database = useDatabase();
    const redis = useRedis();
    let queue: JobQueue;
    let workers: DeliveryWorkers | undefined;
    let begun: number[];
    let ended: number[];
    let release: Map<number, () => void>;

    beforeEach(() => {
      queue = openJobQueue(backendOf(kind, database, redis), log);
      begun = [];
      ended = [];
      release = new Map();
    });
    afterEach(async () => {
      release.forEach((end) => end());
      await workers?.close(5_000);
      workers = undefined;
      await queue.close();
    });

    /** Deliveries above 100 are fast; the others end on demand. */
    const handle = async ({ deliveryId }: DeliverJob): Promise<void> => {
      begun.push(deliveryId);
      if (deliveryId < 100) {
        await new Promise<void>((resolve) => release.set(deliveryId, resolve));
      }
      ended.push(deliveryId);
    };
    const work = (concurrency: number, overflow: OverflowOptions | undefined): DeliveryWorkers => {
      const backend = backendOf(kind, database, redis);
      const limits = { concurrency, ...(overflow === undefined ? {} : { overflow }) };
      workers = startJobWorkers({ backend, ...limits, log, handle });
      return workers;
    };
    const add = (...ids: number[]) =>
      queue.add(
        "ticket",
        ids.map((deliveryId) => ({ deliveryId, generation: 1 })),
        new Date(),
      );

    it("give their slots to others, and continue", async () => {
      const { counts } = work(1, { capacity: 4, afterMs: 100 });
      await add(1, 2, 101, 102);
      await eventually(() => {
        expect(ended).to.have.members([101, 102]);
        expect(counts()).to.deep.equal({ held: 0, inOverflow: 2, waiting: 0 });
      });
      release.forEach((end) => end());
      await eventually(async () => {
        expect(ended).to.have.members([101, 102, 1, 2]);
        expect(counts()).to.deep.equal({ held: 0, inOverflow: 0, waiting: 0 });
        expect(await queue.counts("ticket")).to.include({ waiting: 0, active: 0, failed: 0 });
      });
    });

    it("do not hold up the other deliveries of their job, nor more of them than are allowed", async () => {
      const { counts } = work(1, { capacity: 1, afterMs: 100 });
      const [first, ...more] = [1, 101, 2, 102].map((deliveryId) => ({
        deliveryId,
        generation: 1,
      }));
      await queue.add("ticket", [{ ...first!, more }], new Date());
      await eventually(() => {
        expect(ended).to.deep.equal([101]);
        expect(begun).to.deep.equal([1, 101, 2]);
        expect(counts()).to.deep.equal({ held: 0, inOverflow: 2, waiting: 1 });
      });
      expect(await queue.counts("ticket")).to.include({ active: 1 });
      release.forEach((end) => end());
      await eventually(async () => {
        expect(ended).to.have.members([1, 2, 101, 102]);
        expect(await queue.counts("ticket")).to.include({ waiting: 0, active: 0, failed: 0 });
      });
    });

    it("are limited: further jobs wait in the queue, not in memory", async () => {
      const { counts, freeSlots } = work(1, { capacity: 1, afterMs: 100 });
      await add(1, 2);
      await eventually(() => expect(begun).to.have.members([1, 2]));
      await add(101);
      await eventually(async () => {
        expect(counts()).to.deep.equal({ held: 0, inOverflow: 2, waiting: 0 });
        expect(await queue.counts("ticket")).to.include({ waiting: 1, active: 2 });
      });
      expect(begun).to.have.members([1, 2]);
      expect(freeSlots("ticket"), "no slot is used, but no more may run").to.equal(undefined);
      release.get(1)?.();
      await eventually(() => expect(ended).to.have.members([1, 101]));
    });

    it("wait for a slot while the jobs before them are recent, and are counted", async () => {
      const { counts } = work(1, { capacity: 4, afterMs: 60_000 });
      await add(1, 2, 101);
      await eventually(() =>
        expect(counts()).to.deep.equal({ held: 1, inOverflow: 0, waiting: 2 }),
      );
      const [first = 0] = begun;
      release.get(first)?.();
      await eventually(() => expect(begun).to.have.length.above(1));
    });

    it("leave free slots to work without a job, unless jobs wait or the process stops", async () => {
      const { freeSlots, pause } = work(2, { capacity: 4, afterMs: 60_000 });
      expect(freeSlots("ticket")).to.equal(2);
      for (const [id, left] of [
        [1, 1],
        [2, 0],
        [3, undefined],
      ] as const) {
        await add(id);
        await eventually(() => expect(freeSlots("ticket")).to.equal(left));
      }
      expect(freeSlots("media")).to.equal(2);
      await eventually(() => {
        release.forEach((end) => end());
        expect(freeSlots("ticket")).to.equal(2);
      });
      await pause();
      expect(freeSlots("media")).to.equal(undefined);
    });

    it("delay one object kind only", async () => {
      work(1, { capacity: 0, afterMs: 60_000 });
      await add(1);
      await eventually(() => expect(begun).to.deep.equal([1]));
      await queue.add("media", [{ deliveryId: 101, generation: 1 }], new Date());
      await eventually(() => expect(ended).to.deep.equal([101]));
    });

    it("are awaited when the process stops, including those without a slot", async () => {
      const stopping = work(1, { capacity: 4, afterMs: 100 });
      await add(1, 2);
      await eventually(() => expect(stopping.counts().inOverflow).to.equal(2));
      let isClosed = false;
      await stopping.pause();
      const closing = stopping.close(10_000).then(() => (isClosed = true));
      release.get(1)?.();
      await eventually(() => expect(ended).to.deep.equal([1]));
      expect(isClosed).to.equal(false);
      release.get(2)?.();
      await closing;
      expect(ended).to.deep.equal([1, 2]);
      expect(await queue.counts("ticket")).to.include({ waiting: 0, active: 0, failed: 0 });
    });

    it("leave the rest of their job to another process when theirs stops", async () => {
      const stopping = work(1, undefined);
      const [first, ...more] = [1, 2, 101].map((deliveryId) => ({ deliveryId, generation: 1 }));
      await queue.add("ticket", [{ ...first!, more }], new Date());
      await eventually(() => expect(begun).to.deep.equal([1]));
      await stopping.pause();
      release.get(1)?.();
      await stopping.close(1_000);
      expect(begun).to.deep.equal([1]);
      work(3, undefined);
      await eventually(() => expect(begun).to.include.members([2, 101]));
    });

    it("are awaited with the work that they start while the process stops", async () => {
      const stopping = work(1, { capacity: 4, afterMs: 100 });
      await add(1);
      await eventually(() => expect(begun).to.deep.equal([1]));
      await stopping.pause();
      let isClosed = false;
      const closing = stopping.close(10_000).then(() => (isClosed = true));
      // Like a settlement whose deliveries were claimed before the stop began.
      const ends: (() => void)[] = [];
      const startOne = () => new Promise<void>((resolve) => ends.push(resolve));
      stopping.run("ticket", async () => {
        await startOne();
        stopping.run("ticket", startOne);
      });
      release.get(1)?.();
      await eventually(() => expect(ends).to.have.length(1));
      ends[0]?.();
      await eventually(() => expect(ends).to.have.length(2));
      await eventually(async () => expect(await queue.counts("ticket")).to.include({ active: 0 }));
      expect(isClosed).to.equal(false);
      ends[1]?.();
      await closing;
    });

    it("share slots with work that has no job, which takes one at once, and starts a few per turn", async () => {
      const stopping = work(30, undefined);
      const ids = Array.from({ length: 20 }, (_, index) => 101 + index);
      for (const deliveryId of ids) {
        stopping.run("ticket", () => handle({ deliveryId, generation: 1 }));
      }
      expect(begun).to.deep.equal([]);
      expect(stopping.counts()).to.deep.equal({ held: 20, inOverflow: 0, waiting: 0 });
      const closing = stopping.close(5_000);
      await endOfTurn();
      expect(begun).to.deep.equal(ids.slice(0, 8));
      await endOfTurn();
      expect(begun).to.deep.equal(ids.slice(0, 16));
      await closing;
      expect(ended).to.deep.equal(ids);
    });

    it("keep their slots without an overflow, and delay the others", async () => {
      const { counts } = work(1, undefined);
      await add(1);
      await eventually(() => expect(begun).to.deep.equal([1]));
      await add(101);
      await eventually(async () =>
        expect(await queue.counts("ticket")).to.include({ waiting: 1, active: 1 }),
      );
      expect(begun).to.deep.equal([1]);
      expect(counts()).to.deep.equal({ held: 1, inOverflow: 0, waiting: 0 });
    });
  });
});
