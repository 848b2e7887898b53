import { expect } from "chai";
import { deliverQueueName, type DeliverJob } from "../../../src/contracts/jobs.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { openJobQueue, type JobQueue } from "../../../src/platform/queue/job-queue.ts";
import { openWorker } from "../../../src/platform/queue/job-workers.ts";
import { startReopeningWorker } from "../../../src/platform/queue/reopening.ts";
import { backendOf, onBothBackends } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { useRedis } from "../../support/redis.ts";

const log = createLogger("silent", "test");

const limits = { concurrency: 2, maxConnections: 4 };

onBothBackends((kind) => {
  describe("a worker that stopped by itself", () => {
    const database = useDatabase();
    const redis = useRedis();
    let queue: JobQueue;

    beforeEach("open the queue", async () => {
      queue = openJobQueue(backendOf(kind, database, redis), log);
      await eventually(() => queue.counts("ticket"));
    });
    afterEach(() => queue.close());

    const add = (deliveryId: number) =>
      queue.add("ticket", [{ deliveryId, generation: 1 }], new Date());

    /** The first worker stops while it runs job 1: after another job, it has an error. */
    const begin = async () => {
      const seen: number[] = [];
      let endFirst = (): void => undefined;
      const first = new Promise<void>((resolve) => (endFirst = resolve));
      let opened = 0;
      const worker = startReopeningWorker({
        name: "ticket",
        log,
        pauseMs: 10,
        outage: { began: () => undefined, ended: () => undefined },
        open: () => {
          const one = openWorker(
            backendOf(kind, database, redis),
            deliverQueueName("ticket"),
            limits,
            async ({ data }: { data: DeliverJob }) => {
              seen.push(data.deliveryId);
              await (data.deliveryId === 1 ? first : undefined);
            },
          );
          one.worker.on("error", () => undefined);
          opened += 1;
          if (opened === 1) {
            const fail = () => Promise.reject(new Error("a fault"));
            Object.defineProperty(one.worker, "waitForRateLimit", { value: fail });
          }
          return one;
        },
      });
      await add(1);
      await eventually(() => expect(seen).to.deep.equal([1]));
      await add(2);
      await eventually(() => expect(opened).to.equal(2), { timeoutMs: 20_000 });
      return { seen, worker, endFirst: () => endFirst() };
    };
    const activeJobs = async () => (await queue.counts("ticket")).active;

    it("is replaced at once, and its job ends in the queue, too", async () => {
      const { seen, worker, endFirst } = await begin();
      await add(3);
      await eventually(() => expect(seen).to.deep.equal([1, 2, 3]));
      await eventually(async () => expect(await activeJobs()).to.equal(1));
      endFirst();
      await eventually(async () => expect(await activeJobs()).to.equal(0));
      await worker.close(5_000);
    });

    it("keeps a stop waiting for its job", async () => {
      const { worker, endFirst } = await begin();
      const graceMs = 500;
      const startedAt = performance.now();
      await worker.close(graceMs);
      expect(performance.now() - startedAt).to.be.at.least(graceMs - 1);
      endFirst();
    });
  });
});
