import { createRedisBackend, type BackendFactory, type RedisQueueBackend } from "bullmq";
import type { Result } from "ioredis";
import { sendTogether, type RedisClient } from "./redis.ts";

/**
 * Removes the marker that wakes a worker if no job waits, and returns 1. It returns 0 and leaves the
 * marker if a job waits, or is delayed: its time must then be read. KEYS: wait, prioritized, delayed,
 * marker. One script, so that a job that is added next sets the marker again.
 */
const removeIdleMarkerLua = `
  if redis.call("LLEN", KEYS[1]) + redis.call("ZCARD", KEYS[2]) + redis.call("ZCARD", KEYS[3]) > 0 then
    return 0
  end
  redis.call("ZREM", KEYS[4], "0")
  return 1`;

declare module "ioredis" {
  interface RedisCommander<Context> {
    removeIdleMarker(
      wait: string,
      prioritized: string,
      delayed: string,
      marker: string,
    ): Result<number, Context>;
  }
}

type MoveToActive = RedisQueueBackend["moveToActive"];

type Fetching = Pick<RedisQueueBackend, "moveToActive" | "waitForJob">;

/**
 * The Redis backend of a worker, with fewer round trips while the queue is short. BullMQ sets the
 * marker whenever it hands out a job, asks at once for another one, finds none, waits for the
 * marker, finds the one that it has just set, asks again, and only then waits. Here the script above
 * follows each request on the same connection. If the queue is empty, the next request is answered
 * without Redis, and the wait ends with the next job.
 *
 * No job can be missed: adding one sets the marker, and a worker that gets "none" waits
 * for the marker next. If a connection dies in between, the worker asks again after `drainDelay`.
 */
export function redisWorkerBackend(connection: RedisClient): BackendFactory<RedisQueueBackend> {
  connection.defineCommand("removeIdleMarker", { numberOfKeys: 4, lua: removeIdleMarkerLua });
  return (name, options, capabilities) => {
    const backend = createRedisBackend(name, options, capabilities);
    const { moveToActive, waitForJob } = backend;
    const fetching = skipKnownEmpty(
      backend,
      { moveToActive: moveToActive.bind(backend), waitForJob: waitForJob.bind(backend) },
      connection,
    );
    Object.defineProperties(backend, {
      moveToActive: { value: fetching.moveToActive },
      waitForJob: { value: fetching.waitForJob },
    });
    return backend;
  };
}

function skipKnownEmpty(
  backend: RedisQueueBackend,
  { moveToActive, waitForJob }: Fetching,
  connection: RedisClient,
): Fetching {
  const keyOf = (type: string) => backend.toKey(type);
  let isKnownEmpty = false;
  const moveUnlessEmpty: MoveToActive = async (token, name) => {
    if (isKnownEmpty) {
      isKnownEmpty = false;
      return [];
    }
    sendTogether(connection);
    const moved = moveToActive(token, name);
    const isIdle = backend.client
      .then(() =>
        connection.removeIdleMarker(
          keyOf("wait"),
          keyOf("prioritized"),
          keyOf("delayed"),
          keyOf("marker"),
        ),
      )
      .catch(() => 0);
    const next = await moved;
    isKnownEmpty = (await isIdle) === 1 && next[0] !== undefined && next[0] !== null;
    return next;
  };
  return {
    moveToActive: moveUnlessEmpty,
    waitForJob: async (timeout) => {
      try {
        return await waitForJob(timeout);
      } finally {
        // A worker that was full asks for the job after its last one in another way. The marker that
        // it took just now is of a newer job.
        isKnownEmpty = false;
      }
    },
  };
}
