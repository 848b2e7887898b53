/**
 * In: whoever asks. Out: how every part of the platform stands.
 * Guarantee: one snapshot at a time, and two seconds from one to the next, however many ask; a queue
 * whose store is away makes its own figures unknown and no other's.
 */
import { objectKinds, type ObjectKind } from "../contracts/events.ts";
import { taskQueueNames, type TaskQueueName } from "../contracts/jobs.ts";
import type { Clock } from "../platform/clock.ts";
import { toError } from "../platform/errors.ts";
import { withTimeout } from "../platform/concurrency/sleep.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

/** `queue` is undefined where it could not be read. */
export type PlatformSnapshot = Readonly<{
  at: Date;
  deliveries: readonly Readonly<{ object: ObjectKind; queue: QueueCounts | undefined }>[];
  taskQueues: readonly (TaskCounts &
    Readonly<{ kind: TaskQueueName; queue: QueueCounts | undefined }>)[];
  pipeline: PipelineState;
  passes: readonly PassState[];
  /** Since when queues cannot be read, as far as this process knows, and what was said last. */
  queuesUnreachable: Readonly<{ since: Date; reason: string }> | undefined;
}>;

export type SnapshotDeps = { readings: PlatformReaders; clock: Clock; nowMs?: () => number };

const cacheMs = 2_000;

/** Looks, or gives the snapshot of a moment ago. Rejects where the database is away. */
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
      // A snapshot that takes long is waited for by all who ask meanwhile, not begun again beside itself.
      const begun = { snapshot: readNow(), untilMs: Number.POSITIVE_INFINITY };
      latest = begun;
      begun.snapshot.then(
        () => {
          begun.untilMs = nowMs() + cacheMs;
        },
        () => {
          // What failed is tried again by whoever asks next.
          latest = latest === begun ? undefined : latest;
        },
      );
    }
    return latest.snapshot;
  };
}

/** Reads everything anew. */
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

/** A queue's client tries for longer; who looks at a page does not. */
const queueTimeoutMs = 3_000;

type QueueResult<T> = { value: T | undefined; error: Error | undefined };

async function readQueue<T>(reading: Promise<T>): Promise<QueueResult<T>> {
  try {
    const value = await withTimeout(reading, queueTimeoutMs, "The queue did not answer in time");
    return { value, error: undefined };
  } catch (thrown) {
    return { value: undefined, error: toError(thrown) };
  }
}

/** What a queue holds, and who takes from it. */
export type QueueCounts = Readonly<{
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Since when the oldest one waits. */
  oldestWaiting: Date | undefined;
  /** Processes that take from it. */
  workers: number;
}>;

/** Tasks of a queue as the ledger has them, counted up to a bound. */
export type TaskCounts = Readonly<{
  waiting: number;
  due: number;
  queued: number;
  running: number;
  failed: number;
  /** Ended well within the last minute. */
  doneLastMinute: number;
  /** Since when the oldest should have been run. */
  oldest: Date | null;
}>;

/** Of one minute that is over and counted to its end. */
export type DeliveryRates = Readonly<{
  /** The end of the minute, and how long it is. */
  until: Date;
  seconds: number;
  /** How many a second, of each object kind that had any. */
  queues: readonly Readonly<{
    object: ObjectKind;
    /** Deliveries that were made. */
    made: number;
    /** Attempts that ended, by their result. */
    delivered: number;
    failed: number;
  }>[];
  attemptsPerSecond: number;
  failedPerSecond: number;
}>;

export type PipelineState = Readonly<{
  outbox: Readonly<{
    rows: number;
    oldest: Date | null;
    /** Events that could not be fanned out; when the first of them failed, and why the last did. */
    deadLetters: number;
    deadLettersSince: Date | null;
    deadLetterReason: string | null;
  }>;
  /** Since when the oldest delivery should have been tried. */
  pastDue: Date | null;
  windows: Readonly<{ allowed: number; inFlight: number }>;
  receivers: Readonly<Record<"active" | "failing" | "throttled" | "open" | "off", number>>;
  rates: DeliveryRates;
}>;

export type PassState = Readonly<{
  name: string;
  everyMs: number;
  ranAt: Date;
  tookMs: number;
  failingSince: Date | null;
  reason: string | null;
}>;

/** Reads that are bounded, whatever waits. Those of queues reject while their store is away. */
export type PlatformReaders = Readonly<{
  deliveryQueue: (object: ObjectKind) => Promise<QueueCounts>;
  taskQueue: (kind: TaskQueueName) => Promise<QueueCounts>;
  tasks: (kind: TaskQueueName, now: Date) => Promise<TaskCounts>;
  pipeline: (now: Date) => Promise<PipelineState>;
  passes: () => Promise<PassState[]>;
}>;

/** Counted up to here: an exact number of millions would cost more than it tells. */
const maxCounted = 100_000;

/** Tasks of a queue that ended well since then. */
export async function countCompletedTasks(
  db: Queryable,
  kind: TaskQueueName,
  since: Date,
): Promise<number> {
  const [row] = await rowsOf<{ done: number }>(
    db,
    `SELECT count(*) AS done FROM (
       SELECT 1 FROM tasks WHERE ended_at >= ? AND lane = ? AND state = 'done' LIMIT ?) AS counted`,
    [since, kind, maxCounted],
  );
  return row?.done ?? 0;
}
