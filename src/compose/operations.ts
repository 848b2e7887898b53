/** Composition of the operators' view: the queues and the tables behind them. */
import { operationsRoutes } from "../operations/routes.ts";
import {
  createSnapshotReader,
  type QueueState,
  type PlatformReaders,
  countCompletedTasks,
} from "../operations/snapshot.ts";
import type { AnyRoute } from "../http/route.ts";
import {
  readOutbox,
  readPastDue,
  readSubscriptionCounts,
  readWindows,
} from "../pipeline/ledger/queries/metrics-queries.ts";
import { readRates } from "../pipeline/schedule/queue-tallies.ts";
import { readHeartbeats } from "../pipeline/schedule/schedule.ts";
import { openJobQueue, openTaskJobQueue, type JobQueues } from "../platform/queue/job-queue.ts";
import { readTaskQueue } from "../platform/tasks/store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Platform } from "./platform.ts";

/** The parts of the platform that snapshots read. */
type OperationsPlatform = Pick<Platform, "db" | "backend" | "log" | "lifecycle"> & { clock: Clock };

export function platformOperations(platform: OperationsPlatform): AnyRoute[] {
  const { clock, backend } = platform;
  const reader = createSnapshotReader({ readings: composeReadings(platform), clock });
  return operationsRoutes({
    readSnapshot: reader,
    backend: backend.kind === "postgres" ? "postgres" : "redis",
  });
}

const lastMinuteMs = 60_000;

function composeReadings(platform: OperationsPlatform): PlatformReaders {
  const { db, backend, log } = platform;
  const deliveries = openLazily(platform, "delivery queue reader", () =>
    openJobQueue(backend, log),
  );
  const tasks = openLazily(platform, "task queue reader", () => openTaskJobQueue(backend, log));
  return {
    deliveryQueue: async (object) => readQueue(deliveries(), object),
    taskQueue: async (kind) => readQueue(tasks(), kind),
    tasks: async (kind, now) => ({
      ...(await readTaskQueue(db, kind, now)),
      doneLastMinute: await countCompletedTasks(db, kind, new Date(now.getTime() - lastMinuteMs)),
    }),
    pipeline: async (now) => {
      const [outbox, pastDue, windows, receivers, rates] = await Promise.all([
        readOutbox(db),
        readPastDue(db, now),
        readWindows(db),
        readSubscriptionCounts(db, now),
        readRates(db),
      ]);
      return { outbox, pastDue, windows, receivers, rates };
    },
    passes: () => readHeartbeats(db),
  };
}

/** Opened on first use. */
function openLazily<T extends { close(): Promise<void> }>(
  { lifecycle }: OperationsPlatform,
  name: string,
  open: () => T,
): () => T {
  let opened: T | undefined;
  return () => {
    if (opened === undefined) {
      const created = open();
      lifecycle.onStop(name, () => created.close());
      opened = created;
    }
    return opened;
  };
}

async function readQueue<Name extends string>(
  queues: Pick<JobQueues<Name, never>, "counts" | "oldestWaiting" | "workers">,
  name: Name,
): Promise<QueueState> {
  const [counts, oldestWaiting, workers] = await Promise.all([
    queues.counts(name),
    queues.oldestWaiting(name),
    queues.workers(name),
  ]);
  return { ...counts, oldestWaiting, workers };
}
