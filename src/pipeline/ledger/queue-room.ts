/** Which queues take hints: those that answer, and in which few enough wait. */
import { objectKinds, type ObjectKind } from "../../contracts/events.ts";
import type { HintQueue } from "../../platform/queue/hint-queue.ts";
import { pause } from "../../platform/wait.ts";

export type QueueRoom = {
  /** The queues that take nothing, as the last look at them saw it. */
  closed(): ObjectKind[];
  /** Takes nothing until it is looked at again. */
  close(object: ObjectKind): void;
  /** Hints are being added to it. */
  noteAdded(object: ObjectKind): void;
  /** Looks at all of them. */
  look(): Promise<void>;
  /** Looks again and again until the signal fires. */
  run(signal: AbortSignal): Promise<void>;
};

export type QueueRoomDeps = {
  queue: Pick<HintQueue, "counts">;
  /** Waiting hints of one queue above which nothing is added. */
  highWater: number;
};

/** Between looks at queues that are closed, or that hints were added to since. */
const lookIntervalMs = 500;

/** Between looks at all: only what this process adds fills a queue in less time. */
const quietLookIntervalMs = 5_000;

export function createQueueRoom({ queue, highWater }: QueueRoomDeps): QueueRoom {
  // Closed until the first look, so that a queue that is away is never filled blindly.
  const closed = new Set<ObjectKind>(objectKinds);
  /** Queues that hints were added to since they were looked at. */
  const grown = new Set<ObjectKind>();

  const lookAt = async (object: ObjectKind): Promise<void> => {
    grown.delete(object);
    try {
      const { waiting } = await queue.counts(object);
      if (waiting < highWater) {
        closed.delete(object);
      } else {
        closed.add(object);
      }
    } catch {
      closed.add(object);
    }
  };

  const lookAtSome = async (objects: readonly ObjectKind[]): Promise<void> => {
    await Promise.all(objects.map(lookAt));
  };

  return {
    closed: () => [...closed],
    close: (object) => closed.add(object),
    noteAdded: (object) => grown.add(object),
    look: () => lookAtSome(objectKinds),
    run: async (signal) => {
      let nextLookAtAll = 0;
      while (!signal.aborted) {
        const isTimeForAll = performance.now() >= nextLookAtAll;
        if (isTimeForAll) {
          nextLookAtAll = performance.now() + quietLookIntervalMs;
        }
        // oxlint-disable-next-line no-await-in-loop -- a loop over time
        await lookAtSome(isTimeForAll ? objectKinds : [...new Set([...closed, ...grown])]);
        // oxlint-disable-next-line no-await-in-loop -- a loop over time
        await pause(lookIntervalMs, signal);
      }
    },
  };
}
