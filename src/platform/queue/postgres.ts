/** Queues and workers of BullMQ on Postgres. */
import {
  createPostgresBackend,
  Queue,
  Worker,
  type BackendFactory,
  type Job,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  type Processor,
  type QueueOptions,
  runMigrations,
  type WorkerOptions,
} from "bullmq";
import pg from "pg";
import { keepAlive } from "../db/connection.ts";

/** `namespace` names the schema of BullMQ's tables. */
export type PostgresQueues = { kind: "postgres"; url: string; namespace: string };

/** Each queue and each worker has its own small pool. */
type PoolSize = Readonly<{ maxConnections: number }>;

export function openPostgresQueue(
  backend: PostgresQueues,
  name: string,
  { maxConnections, ...options }: Omit<QueueOptions, "connection"> & PoolSize,
) {
  const queue = new Queue(
    name,
    { ...options, connection: connectionTo(backend, maxConnections) },
    createPostgresBackend,
  ) as unknown as Queue;
  return { queue, oldestWaiting: () => oldestWaiting(queue), close: () => queue.close() };
}

/** BullMQ lists waiting jobs newest first here, whatever order is requested. */
async function oldestWaiting(queue: Queue): Promise<Job | undefined> {
  const count = await queue.getWaitingCount();
  const jobs: Job[] = await queue.getJobs(["waiting"], Math.max(0, count - 10), count + 10);
  return jobs.toSorted((a, b) => a.timestamp - b.timestamp)[0];
}

export function openPostgresWorker(
  backend: PostgresQueues,
  name: string,
  {
    maxConnections,
    ...options
  }: Omit<WorkerOptions, "connection"> & PoolSize & Readonly<{ drainDelay: number }>,
  processor: Processor,
) {
  const worker = new Worker(
    name,
    processor,
    { ...options, connection: connectionTo(backend, maxConnections) },
    createWorkerBackend(options.drainDelay),
  );
  return { worker: worker as unknown as Worker, disconnect: () => undefined };
}

/**
 * The backend of a worker. By default BullMQ waits up to an hour for a notification after an
 * outage, and names the listening connection immediately: if the worker is closed during that wait,
 * the connection would stay open forever.
 */
function createWorkerBackend(
  maximumBlockTimeout: number,
): BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> {
  return (name, options) => {
    const backend = createPostgresBackend(name, options);
    const nameIt = nameListener(backend, name);
    const { moveToActive } = backend;
    Object.defineProperties(backend, {
      maximumBlockTimeout: { value: maximumBlockTimeout },
      moveToActive: {
        value: (...input: Parameters<typeof moveToActive>) => {
          nameIt();
          return moveToActive.apply(backend, input);
        },
      },
    });
    return backend;
  };
}

/**
 * Names the listening connection, by which workers are counted, once the worker takes jobs. If the
 * worker is closed before that, closes the connection.
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

/** The ledger recovers lost jobs, so commits need not wait for the disk. */
function connectionTo({ url, namespace }: PostgresQueues, max: number) {
  return {
    connectionString: url,
    schema: namespace,
    max,
    options: "-c synchronous_commit=off",
    connectionTimeoutMillis: 5_000,
    // Detects a server that vanished without closing the connection.
    query_timeout: 15_000,
    ...keepAlive,
  };
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
