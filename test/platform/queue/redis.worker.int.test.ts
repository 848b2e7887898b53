import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { DeliverJob } from "../../../src/contracts/jobs.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { openJobQueue, type JobQueue } from "../../../src/platform/queue/job-queue.ts";
import { startJobWorkers } from "../../../src/platform/queue/job-workers.ts";
import { eventually } from "../../support/eventually.ts";
import { useRedis } from "../../support/redis.ts";

const log = createLogger("silent", "test");

/** A proxy that counts the forwarded commands. */
async function startCounter(targetPort: number) {
  const sockets = new Set<Socket>();
  const counts = { scripts: 0, waits: 0 };
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => [client, target].forEach((one) => one.destroy()));
    }
    client.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      counts.scripts += text.match(/\r\nevalsha\r\n/giu)?.length ?? 0;
      counts.waits += text.match(/\r\nbzpopmin\r\n/giu)?.length ?? 0;
      target.write(bytes);
    });
    target.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}

describe("the workers of a queue on Redis", () => {
  const redis = useRedis();
  let queue: JobQueue;

  const backend = () => ({ kind: "redis" as const, url: redis.url, namespace: redis.prefix });
  const example = (deliveryId: number): DeliverJob => ({ deliveryId, generation: 1 });

  beforeEach("open the queue", async () => {
    queue = openJobQueue(backend(), log);
    await eventually(() => queue.counts("ticket"));
  });
  afterEach(() => queue.close());

  it("wait once and run three scripts for each job that comes alone", async () => {
    const url = new URL(redis.url);
    const counter = await startCounter(Number(url.port));
    url.port = String(counter.port);
    const seen = new Set<number>();
    const workers = startJobWorkers({
      backend: { ...backend(), url: url.href },
      concurrency: 5,
      log,
      handle: async ({ deliveryId }) => void seen.add(deliveryId),
    });
    const runOne = async (id: number) => {
      await queue.add("ticket", [example(id)], new Date());
      await eventually(async () => {
        expect(seen.has(id)).to.equal(true);
        expect(await queue.counts("ticket")).to.include({ waiting: 0, active: 0 });
      });
    };
    try {
      await runOne(1); // the Lua scripts are loaded now
      const before = { ...counter.counts };
      const count = 30;
      for (let id = 2; id < 2 + count; id += 1) {
        await runOne(id);
      }
      const idlePolls = 10; // polls of the other queues' workers, every 5 s
      expect(counter.counts.waits - before.waits).to.be.within(count - 1, count + idlePolls);
      expect(counter.counts.scripts - before.scripts).to.be.within(
        3 * count - 1,
        3 * count + idlePolls,
      );
    } finally {
      await workers.close(5_000);
      await counter.close();
    }
  });

  it("take a job at once after one that filled them", async () => {
    const begun: number[] = [];
    const workers = startJobWorkers({
      backend: backend(),
      concurrency: 1,
      log,
      handle: async ({ deliveryId }) => {
        begun.push(deliveryId);
        await eventually(() => queue.counts("ticket"));
      },
    });
    try {
      for (let id = 1; id <= 4; id += 1) {
        const addedAt = performance.now();
        await queue.add("ticket", [example(id)], new Date());
        await eventually(async () => {
          expect(begun).to.have.length(id);
          expect(await queue.counts("ticket")).to.include({ waiting: 0, active: 0 });
        });
        // A missed job is found by the next poll, after 5 s.
        expect(performance.now() - addedAt).to.be.below(2_000);
      }
    } finally {
      await workers.close(5_000);
    }
  });

  it("miss no job that is added while another worker finds the queue empty", async () => {
    const addedAt = new Map<number, number>();
    const waitedMs: number[] = [];
    const start = () =>
      startJobWorkers({
        backend: backend(),
        concurrency: 2,
        log,
        handle: async ({ deliveryId }) => {
          waitedMs.push(performance.now() - (addedAt.get(deliveryId) ?? 0));
        },
      });
    const workers = [start(), start()];
    const count = 400;
    try {
      for (let id = 1; id <= count; id += 1) {
        addedAt.set(id, performance.now());
        await queue.add("ticket", [example(id)], new Date());
        for (let turns = id % 7; turns > 0; turns -= 1) {
          await setImmediate();
        }
      }
      await eventually(() => expect(waitedMs).to.have.length(count));
      // A missed job is found by the next poll, after 5 s.
      expect(Math.max(...waitedMs)).to.be.below(4_000);
    } finally {
      await Promise.all(workers.map((one) => one.close(5_000)));
    }
  });
});
