import type { ObjectKind } from "../../contracts/events.ts";
import { createTurnQueue } from "../concurrency/async.ts";
import { createRunningWork } from "../concurrency/running-work.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";

/** Work without jobs, in the places of a process that its jobs use, too. */
export type DirectRuns = {
  /** Runs the work in a slot. Only a few calls start per turn of the event loop. */
  run(object: ObjectKind, work: () => Promise<void>): void;
  /** How many more may run. */
  left(object: ObjectKind): number;
  /** Waits for all that run, and for what they start during the wait. */
  drain(): Promise<void>;
};

export type DirectRunsDeps = {
  /** How many jobs and direct runs together may run per object kind. */
  most: number;
  runIn: (object: ObjectKind, work: () => Promise<void>) => Promise<void>;
  /** Changes how many jobs may run. */
  limitJobs: (object: ObjectKind, count: number) => void;
  log: Logger;
};

/**
 * A settlement hands over dozens of deliveries. Starting them all in one turn takes up to 2 ms, in
 * which results that have arrived would wait, and Postgres would be idle.
 */
const startsPerTurn = 8;

/**
 * Jobs keep one nth of the places, so that a few that hang never stop all jobs of their kind: BullMQ
 * notices a higher limit only when a job ends, or arrives.
 */
const shareOfJobs = 4;

/**
 * Fewer jobs are fetched while there are direct runs: one that is fetched and finds no place would
 * wait in this process, although another one may have places.
 */
export function createDirectRuns({ most, runIn, limitJobs, log }: DirectRunsDeps): DirectRuns {
  const placesOfJobs = Math.ceil(most / shareOfJobs);
  const counts = new Map<ObjectKind, number>();
  const running = createRunningWork();
  const nextTurn = createTurnQueue(startsPerTurn);
  const countOf = (object: ObjectKind): number => counts.get(object) ?? 0;
  const change = (object: ObjectKind, by: 1 | -1): void => {
    const count = countOf(object) + by;
    counts.set(object, count);
    limitJobs(object, Math.max(placesOfJobs, most - count));
  };
  return {
    left: (object) => most - placesOfJobs - countOf(object),
    run: (object, work) => {
      change(object, 1);
      const one = runIn(object, () => nextTurn().then(work))
        .catch((thrown: unknown) =>
          log.warn({ object, reason: toError(thrown).message }, "queue.work_failed"),
        )
        .finally(() => change(object, -1));
      void running.track(one);
    },
    drain: running.drain,
  };
}
