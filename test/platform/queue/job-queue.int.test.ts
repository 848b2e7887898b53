import { expect } from "chai";
import { deliverQueueName, type DeliverJob } from "../../../src/contracts/jobs.ts";
import { toError } from "../../../src/platform/errors.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { openJobQueue, type JobQueue } from "../../../src/platform/queue/job-queue.ts";
import { startJobWorkers } from "../../../src/platform/queue/job-workers.ts";
import { epochKey } from "../../../src/platform/queue/redis.ts";
import { openRedis } from "../../../src/platform/queue/redis.ts";
import { onEveryBackend, useBackend } from "../../support/backends.ts";
import { eventually } from "../../support/eventually.ts";

const log = createLogger("silent", "test");

it("a job queue without Redis logs why it cannot connect", async function () {
  this.timeout(20_000);
  const reasons: string[] = [];
  const recorder = {
    debug: () => undefined,
    warn: ({ reason }: { reason: string }) => void reasons.push(reason),
  };
  const nobody = { kind: "redis", url: "redis://127.0.0.1:1", namespace: "test" } as const;
  const queue = openJobQueue(nobody, recorder as never);
  try {
    expect(await queue.probe("ticket").catch(toError)).to.be.an("error");
    expect(reasons.join()).to.match(/did not respond within \d+ ms: connect ECONNREFUSED/u);
  } finally {
    await queue.close();
  }
});

onEveryBackend((kind) => {
  describe("the job queue", () => {
    const backend = useBackend(kind);
    let queue: JobQueue;

    beforeEach("open the queue", async () => {
      queue = openJobQueue(backend(), log);
      // The first commands of a new connection fail at once.
      await eventually(() => queue.probe("ticket"));
    });
    afterEach(() => queue.close());

    const example = (deliveryId: number, generation = 1): DeliverJob => ({
      deliveryId,
      generation,
    });
    const work = (handle: (queuedJob: DeliverJob) => Promise<void>) =>
      startJobWorkers({ backend: backend(), concurrency: 5, log, handle });

    it("reports how many jobs wait and since when the oldest waits", async () => {
      const at = new Date(Date.now() - 60_000);
      expect(await queue.oldestWaiting("media")).to.equal(undefined);
      await queue.add("media", [example(1), example(2)], at);
      await queue.add("media", [example(3)], new Date());
      expect((await queue.counts("media")).waiting).to.equal(3);
      expect(await queue.oldestWaiting("media")).to.deep.equal(at);
    });

    it("passes every job to a worker, oldest first, per object kind", async () => {
      const seen: number[] = [];
      await queue.add(
        "ticket",
        [10, 11, 12].map((id) => example(id)),
        new Date(),
      );
      await queue.add("smsmessage", [example(20)], new Date());
      const workers = work(async ({ deliveryId }) => void seen.push(deliveryId));
      try {
        await eventually(() => expect(seen).to.include.members([10, 11, 12, 20]));
        expect(seen.filter((id) => id < 20 && id > 9)).to.deep.equal([10, 11, 12]);
        await eventually(async () =>
          expect(await queue.counts("ticket")).to.include({ waiting: 0, active: 0, failed: 0 }),
        );
      } finally {
        await workers.close(5_000);
      }
    });

    it("accepts a delivery again with a later generation, even while the earlier job waits", async () => {
      await queue.add("conversation", [example(1, 1), example(1, 2)], new Date());
      expect((await queue.counts("conversation")).waiting).to.equal(2);
    });

    it("waits for running jobs before it closes", async () => {
      let finish: (() => void) | undefined;
      let hasEnded = false;
      const workers = work(async ({ deliveryId }) => {
        if (deliveryId === 77) {
          await new Promise<void>((resolve) => (finish = resolve));
          hasEnded = true;
        }
      });
      await queue.add("ticket", [example(77)], new Date());
      await eventually(() => expect(finish).to.not.equal(undefined));
      await workers.pause();
      const closing = workers.close(5_000);
      finish?.();
      await closing;
      expect(hasEnded).to.equal(true);
    });

    it("removes jobs that failed, once they are old enough", async () => {
      const workers = work(async () => {
        throw new Error("no room");
      });
      try {
        await queue.add("ticket", [example(30)], new Date());
        await eventually(
          async () => expect((await queue.counts("ticket")).failed).to.equal(1),
          { timeoutMs: 20_000 }, // two retries, each after 2 s
        );
        expect(await queue.removeFailed("ticket", 3_600_000)).to.equal(0);
        expect((await queue.counts("ticket")).failed).to.equal(1);
        expect(await queue.removeFailed("ticket", 0)).to.equal(1);
        expect((await queue.counts("ticket")).failed).to.equal(0);
      } finally {
        await workers.close(5_000);
      }
    }).timeout(30_000);

    it("counts the processes that consume a queue", async () => {
      expect(await queue.workers("ticket")).to.equal(0);
      const workers = [work(async () => undefined), work(async () => undefined)];
      try {
        await eventually(async () => expect(await queue.workers("ticket")).to.equal(2));
      } finally {
        await Promise.all(workers.map((one) => one.close(5_000)));
      }
    });

    if (kind !== "postgres") {
      it("detects that Redis lost its data, until it is marked again", async () => {
        await queue.markEpoch("ticket");
        expect(await queue.hasLostMemory("ticket")).to.equal(false);
        const own = backend();
        const client = own.kind === "postgres" ? undefined : openRedis(own);
        await eventually(() => client?.del(epochKey(own.namespace, deliverQueueName("ticket"))));
        client?.disconnect();
        expect(await queue.hasLostMemory("ticket")).to.equal(true);
        await queue.markEpoch("ticket");
        expect(await queue.hasLostMemory("ticket")).to.equal(false);
      });
    }
  });
});
