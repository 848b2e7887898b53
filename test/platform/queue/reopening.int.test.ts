import { expect } from "chai";
import { pino } from "pino";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import { freePort } from "../../support/free-port.ts";
import {
  openJobQueue,
  type JobQueue,
  type QueueBackend,
} from "../../../src/platform/queue/job-queue.ts";
import { startJobWorkers, type JobWorkers } from "../../../src/platform/queue/job-workers.ts";
import { migrateQueue } from "../../../src/platform/queue/postgres.ts";
import { backendOf, onBothBackends, queueSchema } from "../../support/backends.ts";
import { createEmptyDatabase, dropDatabase, useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { expectNoLeaks, openResources } from "../../support/leaks.ts";
import { useRedis } from "../../support/redis.ts";
import { createTcpProxy, throughProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { promised } from "../../support/promised.ts";

/** Time from the recovery of the store; twice the expected time, for a busy machine. */
const soon = { timeoutMs: 4_000 };

function sides() {
  const lines: { level: number; msg: string }[] = [];
  const seen: number[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const opened: { queue?: JobQueue; workers?: JobWorkers } = {};
  return {
    seen,
    said: (msg: string) => lines.filter((line) => line.msg === msg).length,
    openQueue: (backend: QueueBackend) => (opened.queue = openJobQueue(backend, log)),
    startWorkers: (backend: QueueBackend) => {
      const handle = async ({ deliveryId }: DeliverJob) => void seen.push(deliveryId);
      opened.workers = startJobWorkers({ backend, concurrency: 2, log, handle });
    },
    close: async () => {
      await opened.workers?.close(3_000);
      await opened.queue?.close();
    },
  };
}

function add(queue: JobQueue, deliveryId: number) {
  return queue.add("ticket", [{ deliveryId, generation: 1 }], new Date());
}

function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

onBothBackends((kind) => {
  describe("the job queue while its store is unavailable", () => {
    const database = useDatabase();
    const redis = useRedis();
    let proxy: TcpProxy;
    let proxied: ReturnType<typeof backendOf>;
    let side: ReturnType<typeof sides>;

    beforeEach("put a closed proxy before the store", async () => {
      const direct = backendOf(kind, database, redis);
      proxy = createTcpProxy(await freePort(), Number(new URL(direct.url).port));
      proxied = { ...direct, url: throughProxy(direct.url, proxy) };
      side = sides();
    });
    afterEach(async () => {
      await side.close();
      await proxy.close();
    });

    it("works once a store is available that was not at the first use", async function () {
      this.timeout(20_000);
      const queue = side.openQueue(proxied);
      const failures = [failureOf(queue.counts("ticket")), failureOf(add(queue, 1))];
      (await Promise.all(failures)).forEach((one) => expect(one).to.be.instanceOf(Error));
      await proxy.open();
      await eventually(() => queue.counts("ticket"), soon);
      await add(queue, 2);
      expect((await queue.counts("ticket")).waiting).to.equal(1);
      expect([
        side.said("queue.store_unreachable"),
        side.said("queue.store_reachable"),
      ]).to.deep.equal([1, 1]);
    });

    it("delivers jobs once a store is available that was not at the start", async function () {
      this.timeout(20_000);
      side.startWorkers(proxied);
      const queue = side.openQueue(backendOf(kind, database, redis));
      await add(queue, 3);
      if (kind === "postgres") {
        await eventually(() => side.said("queue.workers_unreachable") > 0);
      }
      await proxy.open();
      await eventually(() => expect(side.seen).to.include(3), soon);
      await add(queue, 4);
      await eventually(() => expect(side.seen).to.include(4), soon);
    });

    it("works again after an outage of the store", async function () {
      this.timeout(30_000);
      await proxy.open();
      const queue = side.openQueue(proxied);
      side.startWorkers(proxied);
      await eventually(() => add(queue, 5), soon);
      await eventually(() => expect(side.seen).to.include(5), soon);
      await proxy.close();
      await eventually(async () => (await failureOf(queue.counts("ticket"))) !== undefined);
      await proxy.open();
      await eventually(() => add(queue, 6), soon);
      await eventually(() => expect(side.seen).to.include(6), soon);
      await eventually(() => side.said("queue.store_reachable") === 1, soon);
      expect(side.said("queue.store_unreachable")).to.equal(1);
    });

    it("leaves nothing open if it is closed while opening", async function () {
      this.timeout(20_000);
      await proxy.open();
      const before = await openResources();
      side.startWorkers(proxied);
      const failing = failureOf(side.openQueue(proxied).counts("ticket"));
      await side.close();
      await failing;
      await expectNoLeaks(before);
    });

    it("closes within its grace period, and stays closed", async function () {
      this.timeout(20_000);
      side.startWorkers(proxied);
      const queue = side.openQueue(proxied);
      const failing = failureOf(queue.counts("ticket"));
      if (kind === "postgres") {
        await eventually(() => side.said("queue.workers_unreachable") > 0);
      }
      const startedAt = performance.now();
      await side.close();
      expect(performance.now() - startedAt).to.be.below(promised(4_500));
      await failing;
      await proxy.open();
      expect(await failureOf(queue.counts("ticket"))).to.be.instanceOf(Error);
    });
  });
});

describe("the job queue in a database without its schema", () => {
  let database: { name: string; url: string };
  let side: ReturnType<typeof sides>;
  beforeEach("make a database", async () => {
    database = await createEmptyDatabase();
    side = sides();
  });
  afterEach(async () => {
    await side.close();
    await dropDatabase(database.name);
  });

  it("works once the schema is created", async () => {
    const backend = { kind: "postgres", url: database.url, namespace: queueSchema } as const;
    const queue = side.openQueue(backend);
    side.startWorkers(backend);
    expect(await failureOf(queue.counts("media"))).to.be.instanceOf(Error);
    await eventually(() => side.said("queue.workers_unreachable") > 0);
    await migrateQueue(database.url, queueSchema);
    await eventually(() => add(queue, 7), soon);
    await eventually(() => expect(side.seen).to.include(7), soon);
    await eventually(() => side.said("queue.workers_reachable") === 1, soon);
  });
});
