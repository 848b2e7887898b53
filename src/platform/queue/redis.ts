/** Queues and workers of BullMQ on Redis: their connections, and fewer round trips on them. */
import {
  createRedisBackend,
  Queue,
  Worker,
  type BackendFactory,
  type Job,
  type Processor,
  type QueueOptions,
  type RedisQueueBackend,
  type WorkerOptions,
} from "bullmq";
import { Cluster, Redis, type RedisOptions, type Result } from "ioredis";

/** One Redis, or a Redis Cluster: some of its nodes, by which the others are found. */
export type RedisServers =
  | { kind: "redis"; url: string }
  | { kind: "redis-cluster"; urls: readonly string[] };

/** `namespace` prefixes every key. */
export type RedisQueues = RedisServers & { namespace: string };

export type RedisClient = Redis | Cluster;

/** Retries and time-outs of a connection; they apply to each node of a cluster. */
type Patience = Pick<RedisOptions, "maxRetriesPerRequest" | "commandTimeout" | "socketTimeout"> & {
  enableOfflineQueue: boolean;
};

const answerTimeoutMs = 5_000;

/** Longer than the longest blocking read of BullMQ, which takes up to 10 s. */
const workerAnswerTimeoutMs = 15_000;

/**
 * A Redis connection for commands that must fail at once while Redis is unavailable. A command whose
 * answer was lost is not repeated: Redis may have executed it, and the job that it added may be done
 * and forgotten, so that a repetition would add it again.
 */
export function openRedis(servers: RedisServers): RedisClient {
  return open(servers, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
  });
}

/**
 * A Redis connection for a worker: waits for Redis without a limit. All connections are replaced if
 * an answer is overdue: a host or a firewall that is gone closes no connection, and TCP would wait
 * for it for a quarter of an hour.
 */
export function openWorkerRedis(
  servers: RedisServers,
  socketTimeout = workerAnswerTimeoutMs,
): RedisClient {
  return open(servers, { enableOfflineQueue: true, maxRetriesPerRequest: null, socketTimeout });
}

const connectTimeout = 5_000;

function retryDelayMs(times: number): number {
  return Math.min(times * 100, 1_000);
}

function open(servers: RedisServers, patience: Patience): RedisClient {
  return servers.kind === "redis"
    ? new Redis(servers.url, { ...patience, connectTimeout, retryStrategy: retryDelayMs })
    : openCluster(servers.urls, patience);
}

/** The first URL's login, password and TLS apply to every node, including those found later. */
function openCluster(
  urls: readonly string[],
  { enableOfflineQueue, ...patience }: Patience,
): Cluster {
  const nodes = urls.map((url) => new URL(url));
  const { username = "", password = "", protocol } = nodes[0] ?? {};
  return new Cluster(nodes.map(toAddress), {
    enableOfflineQueue,
    clusterRetryStrategy: retryDelayMs,
    ...(enableOfflineQueue ? {} : { retryDelayOnFailover: 0 }), // do not repeat commands
    // Certificates name hosts, so a host must not be replaced by its address.
    ...(protocol === "rediss:" ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
    redisOptions: {
      ...patience,
      connectTimeout,
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === "rediss:" ? { tls: {} } : {}),
    },
  });
}

const defaultPort = 6379;

/** An IPv6 host is in brackets in a URL only. */
function toAddress({ hostname, port }: URL): { host: string; port: number } {
  return {
    host: hostname.replace(/^\[(.*)\]$/u, "$1"),
    port: port === "" ? defaultPort : Number(port),
  };
}

/** All queues of a process share one connection. */
export function openRedisQueue(
  { namespace }: RedisQueues,
  name: string,
  options: QueueOptions & { connection: RedisClient },
) {
  const queue = new Queue(name, { ...options, prefix: prefixOf(namespace, name) });
  const oldestWaiting = async (): Promise<Job | undefined> =>
    (await queue.getJobs(["waiting"], 0, 0, true))[0];
  return { queue, oldestWaiting, close: () => queue.close() };
}

export function openRedisWorker(
  backend: RedisQueues,
  name: string,
  options: Omit<WorkerOptions, "connection">,
  processor: Processor,
) {
  const connection = openWorkerRedis(backend);
  const prefix = prefixOf(backend.namespace, name);
  const worker = new Worker(
    name,
    processor,
    { ...options, connection, prefix },
    redisWorkerBackend(connection),
  );
  return { worker, disconnect: () => connection.disconnect() };
}

/** If this key is missing, Redis has lost its data. */
export function epochKey(namespace: string, name: string): string {
  return `${prefixOf(namespace, name)}:epoch`;
}

/**
 * Braces are a hash tag: one queue's keys share a cluster slot, different queues use different
 * ones.
 */
function prefixOf(namespace: string, name: string): string {
  return `{${namespace}:${name}}`;
}

const held = new WeakSet<object>();

/** Sends the commands of this turn of the event loop in one write, to a single Redis. */
export function sendTogether(redis: RedisClient): void {
  const stream = redis instanceof Cluster ? undefined : redis.stream;
  if (stream !== undefined && !held.has(stream)) {
    held.add(stream);
    stream.cork();
    setImmediate(() => {
      held.delete(stream);
      stream.uncork();
    });
  }
}

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
function redisWorkerBackend(connection: RedisClient): BackendFactory<RedisQueueBackend> {
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
