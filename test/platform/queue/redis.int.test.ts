import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { expect } from "chai";
import { createLogger } from "../../../src/platform/logger.ts";
import { openJobQueue } from "../../../src/platform/queue/job-queue.ts";
import { startJobWorkers } from "../../../src/platform/queue/job-workers.ts";
import { eventually } from "../../support/eventually.ts";
import { useRedis } from "../../support/redis.ts";

const log = createLogger("silent", "test");

/** A proxy that, on request, closes all connections instead of forwarding the next response. */
async function startClosingProxy(targetPort: number) {
  const sockets = new Set<Socket>();
  const state = { closesNext: false };
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(target);
    target.on("data", (answer) => {
      if (state.closesNext) {
        state.closesNext = false;
        sockets.forEach((socket) => socket.destroy());
      } else {
        client.write(answer);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    closeAtNext: () => (state.closesNext = true),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}

describe("a connection to Redis for commands", () => {
  const redis = useRedis();

  it("never repeats one whose answer was lost: its job may be done already", async () => {
    const direct = { kind: "redis" as const, url: redis.url, namespace: redis.prefix };
    const url = new URL(redis.url);
    const proxy = await startClosingProxy(Number(url.port));
    url.port = String(proxy.port);
    const queue = openJobQueue({ ...direct, url: url.href }, log);
    const seen: number[] = [];
    const workers = startJobWorkers({
      ...{ backend: direct, concurrency: 5, log },
      handle: async ({ deliveryId }) => void seen.push(deliveryId),
    });
    const add = (deliveryId: number) =>
      queue.add("ticket", [{ deliveryId, generation: 1 }], new Date());
    try {
      await eventually(() => add(1));
      await eventually(() => expect(seen).to.deep.equal([1]));
      proxy.closeAtNext();
      const failure = await add(2).catch((error: Error) => error);
      await eventually(() => add(3));
      await eventually(() => expect(seen).to.include(3));
      expect(seen).to.deep.equal([1, 2, 3]);
      expect(failure).to.be.instanceOf(Error);
    } finally {
      await workers.close(5_000);
      await queue.close();
      await proxy.close();
    }
  });
});
