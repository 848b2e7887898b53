/**
 * In: concurrent readers. Out: a snapshot of every part of the platform.
 * Guarantee: one snapshot at a time, at most one every two seconds, however many readers there are.
 * A queue that cannot be reached makes only its own figures unknown.
 */
import { objectKinds, type ObjectKind } from "../contracts/events.ts";
import { taskQueueNames, type TaskQueueName } from "../contracts/jobs.ts";
import type {
  OutboxState,
  PassState,
  PlatformRates,
  SubscriptionCounts,
  WindowTotals,
} from "../contracts/platform-state.ts";
import type { Clock } from "../platform/clock.ts";
import { toError } from "../platform/errors.ts";
import { withTimeout } from "../platform/concurrency/async.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { QueueCounts } from "../platform/queue/job-queue.ts";
import type { TaskQueueCounts } from "../platform/tasks/store.ts";

/** `queue` is undefined if it could not be read. */
export type PlatformSnapshot = Readonly<{
  at: Date;
  deliveries: readonly Readonly<{ object: ObjectKind; queue: QueueState | undefined }>[];
  taskQueues: readonly (TaskQueueState &
    Readonly<{ kind: TaskQueueName; queue: QueueState | undefined }>)[];
  pipeline: PipelineState;
  passes: readonly PassState[];
  /** Since when this process cannot read queues, and the last error. */
  queuesUnreachable: Readonly<{ since: Date; reason: string }> | undefined;
}>;

export type SnapshotDeps = { readings: PlatformReaders; clock: Clock; nowMs?: () => number };

const cacheMs = 2_000;

/**
 * Takes a snapshot, or returns the last one if it is recent. Rejects if the database cannot be
 * reached.
 */
export function createSnapshotReader(deps: SnapshotDeps): () => Promise<PlatformSnapshot> {
  const { nowMs = () => performance.now() } = deps;
  let away: PlatformSnapshot["queuesUnreachable"];
  let latest: { snapshot: Promise<PlatformSnapshot>; untilMs: number } | undefined;
  const readNow = async (): Promise<PlatformSnapshot> => {
    const { snapshot, error } = await readAll(deps);
    away =
      error === undefined
        ? undefined
        : { since: away?.since ?? snapshot.at, reason: error.message };
    return { ...snapshot, queuesUnreachable: away };
  };
  return () => {
    if (latest === undefined || nowMs() >= latest.untilMs) {
      // Concurrent readers share a snapshot in progress.
      const begun = { snapshot: readNow(), untilMs: Number.POSITIVE_INFINITY };
      latest = begun;
      begun.snapshot.then(
        () => {
          begun.untilMs = nowMs() + cacheMs;
        },
        () => {
          // After a failure the next reader tries again.
          latest = latest === begun ? undefined : latest;
        },
      );
    }
    return latest.snapshot;
  };
}

/** Takes a new snapshot. */
async function readAll({ readings, clock }: SnapshotDeps) {
  const at = clock.now();
  const [deliveries, taskQueues, pipeline, passes] = await Promise.all([
    Promise.all(
      objectKinds.map(async (object) => ({
        object,
        asked: await readQueue(readings.deliveryQueue(object)),
      })),
    ),
    Promise.all(
      taskQueueNames.map(async (kind) => ({
        ...(await readings.tasks(kind, at)),
        kind,
        asked: await readQueue(readings.taskQueue(kind)),
      })),
    ),
    readings.pipeline(at),
    readings.passes(),
  ]);
  const errors = [...deliveries, ...taskQueues].flatMap(({ asked }) => asked.error ?? []);
  return {
    snapshot: {
      at,
      deliveries: deliveries.map(({ object, asked }) => ({ object, queue: asked.value })),
      taskQueues: taskQueues.map(({ asked, ...one }) => ({ ...one, queue: asked.value })),
      pipeline,
      passes,
    },
    error: errors[0],
  };
}

/** The queue client retries for longer than a user waits for a page. */
const queueTimeoutMs = 3_000;

type QueueResult<T> = { value: T | undefined; error: Error | undefined };

async function readQueue<T>(reading: Promise<T>): Promise<QueueResult<T>> {
  try {
    const value = await withTimeout(reading, queueTimeoutMs, "The queue did not respond in time");
    return { value, error: undefined };
  } catch (thrown) {
    return { value: undefined, error: toError(thrown) };
  }
}

/** The jobs and the workers of a queue. */
export type QueueState = QueueCounts &
  Readonly<{
    /** When the oldest waiting job was added. */
    oldestWaiting: Date | undefined;
    /** Processes that consume the queue. */
    workers: number;
  }>;

/** Tasks of a queue in the database, counted up to a bound. */
type TaskQueueState = TaskQueueCounts &
  Readonly<{
    /** Completed within the last minute. */
    doneLastMinute: number;
  }>;

type PipelineState = Readonly<{
  outbox: OutboxState;
  /** Due time of the oldest delivery that is past due. */
  pastDue: Date | null;
  windows: WindowTotals;
  receivers: SubscriptionCounts;
  rates: PlatformRates;
}>;

/**
 * Bounded reads, independent of the backlog. Those of queues reject while their store cannot be
 * reached.
 */
export type PlatformReaders = Readonly<{
  deliveryQueue: (object: ObjectKind) => Promise<QueueState>;
  taskQueue: (kind: TaskQueueName) => Promise<QueueState>;
  tasks: (kind: TaskQueueName, now: Date) => Promise<TaskQueueState>;
  pipeline: (now: Date) => Promise<PipelineState>;
  passes: () => Promise<PassState[]>;
}>;

/** Upper bound of counts: counting millions exactly would be expensive and of little use. */
const maxCounted = 100_000;

/** Tasks of a queue that completed since then. */
export async function countCompletedTasks(
  db: Queryable,
  kind: TaskQueueName,
  since: Date,
): Promise<number> {
  const [row] = await rowsOf<{ done: number }>(
    db,
    `SELECT count(*) AS done FROM (
       SELECT 1 FROM tasks WHERE ended_at >= ? AND queue = ? AND state = 'done' LIMIT ?) AS counted`,
    [since, kind, maxCounted],
  );
  return row?.done ?? 0;
}
