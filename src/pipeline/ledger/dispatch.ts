/**
 * In: deliveries that the ledger just marked `queued`. Out: their hints in the queue.
 * Guarantee: what cannot be added is due again at once, so the backlog waits in Postgres.
 * On crash: the rows stay `queued` without a hint until the sweeper finds them.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { HintQueue } from "../../platform/queue/hint-queue.ts";
import { createQueueRoom } from "./queue-room.ts";
import { takeBack, type HandedOut, type HandOutLimits } from "./hand-out.ts";

export type Dispatcher = {
  /** What a hand-out may take now. Never waits: it tells what the last look at the queues saw. */
  limits(): HandOutLimits;
  /** Adds the hints. Never rejects: a queue that is away is closed, and the rows are due again. */
  dispatch(handedOut: readonly HandedOut[]): Promise<void>;
  /** Looks at the queues: which are within the bound, which are away. */
  look(): Promise<void>;
  /** Looks again and again until the signal fires. */
  run(signal: AbortSignal): Promise<void>;
};

export type DispatcherDeps = {
  db: Db;
  queue: Pick<HintQueue, "add" | "counts">;
  clock: Clock;
  log: Logger;
  /** Waiting hints of one queue above which nothing is added. */
  highWater: number;
  maxInFlight: number;
};

/** One call's worth of hints: large enough to spread its cost, small enough to stay quick. */
const addBatch = 500;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { db, queue, clock, log } = deps;
  const room = createQueueRoom(deps);

  const giveBack = async (hints: readonly HandedOut[], reason: Error): Promise<void> => {
    log.warn({ hints: hints.length, reason: reason.message }, "hints.not_added");
    try {
      await inTransaction(db, (trx) => takeBack(trx, hints));
    } catch (thrown) {
      // The sweeper will find them.
      log.warn({ hints: hints.length, reason: toError(thrown).message }, "hints.not_taken_back");
    }
  };

  const add = async (object: ObjectKind, hints: readonly HandedOut[]): Promise<void> => {
    const jobs = hints.map(({ deliveryId, generation }) => ({ deliveryId, generation }));
    room.noteAdded(object);
    try {
      await queue.add(object, jobs, clock.now());
    } catch (thrown) {
      room.close(object);
      await giveBack(hints, toError(thrown));
    }
  };

  return {
    limits: () => ({
      now: clock.now(),
      closed: room.closed(),
      maxInFlight: deps.maxInFlight,
      mayProbe: false,
    }),
    dispatch: async (handedOut) => {
      for (const [object, hints] of byObject(handedOut)) {
        for (const chunk of inChunks(hints, addBatch)) {
          // oxlint-disable-next-line no-await-in-loop -- order: an object's hints keep theirs
          await add(object, chunk);
        }
      }
    },
    look: room.look,
    run: room.run,
  };
}

function byObject(handedOut: readonly HandedOut[]): Map<ObjectKind, HandedOut[]> {
  const groups = new Map<ObjectKind, HandedOut[]>();
  for (const hint of handedOut) {
    const group = groups.get(hint.object) ?? [];
    group.push(hint);
    groups.set(hint.object, group);
  }
  return groups;
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
