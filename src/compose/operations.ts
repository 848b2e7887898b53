/** Composition of what operators look at: the queues themselves, and the tables behind them. */
import { operationsRoutes } from "../operations/routes.ts";
import { createLook } from "../operations/look.ts";
import type { QueueReading, Readings } from "../operations/ports.ts";
import type { AnyRoute } from "../http/route.ts";
import {
  readOutbox,
  readPastDue,
  readSubscriptionCounts,
  readWindows,
} from "../pipeline/schedule/figures.ts";
import { readRates } from "../pipeline/schedule/queue-tallies.ts";
import { readPasses } from "../pipeline/schedule/pass-notes.ts";
import { openHintQueue, openTaskQueue, type HintQueues } from "../platform/queue/hint-queue.ts";
import { countDone } from "../operations/store.ts";
import { readLane } from "../platform/tasks/store.ts";
import type { Clock } from "../platform/clock.ts";
import type { Platform } from "./platform.ts";

/** What of the platform it takes. */
type Ground = Pick<Platform, "db" | "backend" | "log" | "lifecycle"> & { clock: Clock };

export function platformOperations(platform: Ground): AnyRoute[] {
  const { clock, backend } = platform;
  const look = createLook({ readings: composeReadings(platform), clock });
  return operationsRoutes({ look, backend: backend.kind });
}

const lastMinuteMs = 60_000;

function composeReadings(platform: Ground): Readings {
  const { db, backend, log } = platform;
  const deliveries = onFirstUse(platform, "looks at queues", () => openHintQueue(backend, log));
  const tasks = onFirstUse(platform, "looks at lanes", () => openTaskQueue(backend, log));
  return {
    deliveryQueue: async (object) => readQueue(deliveries(), object),
    taskQueue: async (lane) => readQueue(tasks(), lane),
    lane: async (lane, now) => ({
      ...(await readLane(db, lane, now)),
      doneLastMinute: await countDone(db, lane, new Date(now.getTime() - lastMinuteMs)),
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
    passes: () => readPasses(db),
  };
}

/** Connections are made when somebody looks for the first time. */
function onFirstUse<T extends { close(): Promise<void> }>(
  { lifecycle }: Ground,
  name: string,
  open: () => T,
): () => T {
  let opened: T | undefined;
  return () => {
    if (opened === undefined) {
      const made = open();
      lifecycle.onStop(name, () => made.close());
      opened = made;
    }
    return opened;
  };
}

async function readQueue<Name extends string>(
  queues: Pick<HintQueues<Name, never>, "counts" | "oldestWaiting" | "workers">,
  name: Name,
): Promise<QueueReading> {
  const [counts, oldestWaiting, workers] = await Promise.all([
    queues.counts(name),
    queues.oldestWaiting(name),
    queues.workers(name),
  ]);
  return { ...counts, oldestWaiting, workers };
}
