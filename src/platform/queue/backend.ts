import {
  createPostgresBackend,
  Queue,
  Worker,
  type Job,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  type Processor,
  type BackendFactory,
  type WorkerOptions,
  runMigrations,
} from "bullmq";
import pg from "pg";
import {
  openRedis,
  openWorkerRedis,
  redisWorkerBackend,
  type RedisClient,
  type RedisServers,
} from "./redis.ts";

/**
 * Where BullMQ stores its jobs; the only place that decides it. `namespace` prefixes every Redis
 * key, or names the Postgres schema, and so separates installations.
 */
export type QueueBackend = (RedisServers | { kind: "postgres"; url: string }) & {
  namespace: string;
};

/**
 * The ledger's leases detect dead workers, so BullMQ's own stall limit never applies. A new job
 * wakes a worker immediately; `drainDelay` (seconds) is for lost wake-ups, and each of ten workers
 * makes four calls to the store whenever it elapses.
 */
const workerDefaults = {
  maxStalledCount: 25,
  lockDuration: 60_000,
  stalledInterval: 20_000,
  drainDelay: 5,
  runRetryDelay: 1_000,
  autorun: false,
} as const;

export type OpenedQueue = {
  queue: Queue;
  /** The oldest waiting job. */
  oldestWaiting: () => Promise<Job | undefined>;
  close: () => Promise<void>;
};

export type OpenedWorker = { worker: Worker; disconnect: () => void };

/** BullMQ's retries are for our own errors only, never for a receiver's. */
const jobDefaults = {
  attempts: 3,
  backoff: { type: "fixed", delay: 2_000 },
  removeOnComplete: true,
  removeOnFail: { age: 3_600 },
} as const;

/** `redis` is shared by all queues of a process; on Postgres every queue has its own small pool. */
export function openQueue(
  backend: QueueBackend,
  name: string,
  { redis, maxConnections }: { redis: RedisClient | undefined; maxConnections: number },
): OpenedQueue {
  const shared = { defaultJobOptions: jobDefaults, skipMetasUpdate: true };
  if (backend.kind !== "postgres") {
    const queue = new Queue(name, {
      ...shared,
      connection: redis ?? openRedis(backend),
      prefix: redisPrefix(backend.namespace, name),
    });
    return { queue, oldestWaiting: () => oldestOnRedis(queue), close: () => queue.close() };
  }
  const queue = new Queue(
    name,
    { ...shared, connection: postgresConnection(backend.url, backend.namespace, maxConnections) },
    createPostgresBackend,
  ) as unknown as Queue;
  return { queue, oldestWaiting: () => oldestOnPostgres(queue), close: () => queue.close() };
}

async function oldestOnRedis(queue: Queue): Promise<Job | undefined> {
  return (await queue.getJobs(["waiting"], 0, 0, true))[0];
}

/** On Postgres BullMQ lists waiting jobs newest first, whatever order is requested. */
async function oldestOnPostgres(queue: Queue): Promise<Job | undefined> {
  const count = await queue.getWaitingCount();
  const jobs: Job[] = await queue.getJobs(["waiting"], Math.max(0, count - 10), count + 10);
  return jobs.toSorted((a, b) => a.timestamp - b.timestamp)[0];
}

/**
 * The backend of a worker. By default BullMQ waits up to an hour for a notification after an
 * outage, and names the listening connection immediately: if the worker is closed meanwhile, that
 * connection would stay open forever.
 */
const createPostgresWorkerBackend: BackendFactory<
  PostgresQueueBackend,
  PostgresConnectionOptions
> = (name, options) => {
  const backend = createPostgresBackend(name, options);
  const nameIt = nameListener(backend, name);
  const { moveToActive } = backend;
  Object.defineProperties(backend, {
    maximumBlockTimeout: { value: workerDefaults.drainDelay },
    moveToActive: {
      value: (...input: Parameters<typeof moveToActive>) => {
        nameIt();
        return moveToActive.apply(backend, input);
      },
    },
  });
  return backend;
};

export function openWorker(
  backend: QueueBackend,
  name: string,
  { concurrency, maxConnections }: { concurrency: number; maxConnections: number },
  processor: Processor,
): OpenedWorker {
  if (backend.kind !== "postgres") {
    const connection = openWorkerRedis(backend);
    const options: WorkerOptions = {
      ...workerDefaults,
      concurrency,
      connection,
      prefix: redisPrefix(backend.namespace, name),
    };
    return {
      worker: new Worker(name, processor, options, redisWorkerBackend(connection)),
      disconnect: () => connection.disconnect(),
    };
  }
  const worker = new Worker(
    name,
    processor,
    {
      ...workerDefaults,
      concurrency,
      connection: postgresConnection(backend.url, backend.namespace, maxConnections),
    },
    createPostgresWorkerBackend,
  );
  return { worker: worker as unknown as Worker, disconnect: () => undefined };
}

/** The ledger recovers lost jobs, so commits need not wait for the disk. */
function postgresConnection(url: string, schema: string, max: number) {
  return {
    connectionString: url,
    schema,
    max,
    options: "-c synchronous_commit=off",
    connectionTimeoutMillis: 5_000,
    // Detects a server that vanished without closing the connection.
    query_timeout: 15_000,
    keepAlive: true,
  };
}

/** If this key is missing, Redis has lost its data. */
export function epochKey(namespace: string, name: string): string {
  return `${redisPrefix(namespace, name)}:epoch`;
}

/**
 * Braces are a hash tag: one queue's keys share a cluster slot, different queues use different
 * ones.
 */
function redisPrefix(namespace: string, name: string): string {
  return `{${namespace}:${name}}`;
}

/**
 * Migrates BullMQ's tables in `schema`. Queues that were opened before work within seconds. Safe in
 * several processes at once.
 */
export async function migrateQueue(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}

/**
 * Names the listening connection, by which workers are counted, once the worker takes jobs. If the
 * worker is closed meanwhile, closes the connection.
 */
function nameListener(backend: PostgresQueueBackend, name: string): () => void {
  let isNamed = false;
  return () => {
    if (!isNamed) {
      isNamed = true;
      backend
        .setName(name)
        .then(() => (backend.closing === undefined ? undefined : backend.disconnect()))
        // Only the name is missing: the worker is not counted until it reopens.
        .catch(() => undefined);
    }
  };
}
