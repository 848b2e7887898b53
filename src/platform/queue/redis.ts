import { Cluster, Redis, type RedisOptions } from "ioredis";

/** One Redis, or a Redis Cluster: some of its nodes, by which the others are found. */
export type RedisServers =
  | { kind: "redis"; url: string }
  | { kind: "redis-cluster"; urls: readonly string[] };

export type RedisClient = Redis | Cluster;

/** Retries and time-outs of a connection; they apply to each node of a cluster. */
type Patience = Pick<RedisOptions, "maxRetriesPerRequest" | "commandTimeout"> & {
  enableOfflineQueue: boolean;
};

/**
 * A Redis connection for commands that must fail at once while Redis is unavailable. A command whose
 * answer was lost is not repeated: Redis may have executed it, and the job that it added may be done
 * and forgotten, so that a repetition would add it again.
 */
export function openRedis(servers: RedisServers): RedisClient {
  return open(servers, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  });
}

/** A Redis connection for a worker: waits for Redis without a limit. */
export function openWorkerRedis(servers: RedisServers): RedisClient {
  return open(servers, { enableOfflineQueue: true, maxRetriesPerRequest: null });
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

/** The first URL's login, password and TLS apply to every node, also to those found later. */
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
