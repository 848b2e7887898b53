/**
 * In: results, one by one. Out: batches of them for the settler.
 * Guarantee: a result waits for others for a moment at most, and only if nothing depends on it as far
 * as this process knows.
 * On crash: as if those that waited had not arrived. Their deliveries are sent again.
 */
import { createBatcher, withTimeout, type Gathering } from "../../platform/concurrency/async.ts";
import type { Settlement } from "../ledger/record-results.ts";
import { createSettler, type SettlerDeps } from "./settler.ts";

export type Settlements = {
  /** Resolves when the result is stored: whether it was accepted. */
  add(settlement: Settlement): Promise<boolean>;
  /** The relay of this process dispatches deliveries: it will say when one waits for a result. */
  noteDispatch(): void;
  /** Stores what waits now, and for a second whatever comes at once. */
  hurry(): void;
  /**
   * Waits until the jobs of what the results let go are in the queue, or their deliveries due again, but
   * no longer than `maxMs`: the sweeper finds the others.
   */
  untilDispatched(maxMs: number): Promise<void>;
};

export type SettlementsDeps = Omit<SettlerDeps, "onSettled"> & {
  /** Slots per object type. */
  concurrency: number;
  /** A monotonic clock in milliseconds; for tests. */
  nowMs?: () => number;
  /** For tests. */
  patienceMs?: number;
};

/** Large enough to amortize a statement, small enough to keep it short. */
export const maxBatchSize = 200;

/**
 * Results in a moderate flow wait for each other: nothing depends on them but what their receiver
 * gets next.
 */
const gathering: Omit<Gathering, "mayWait"> = { busyCount: 4, fullCount: 32, waitMs: 16 };

/**
 * Lone results wait for each other, too, if their deliveries came from a relay in this process: it
 * knows when a delivery waits for an earlier one. Storing one result costs almost as much as storing
 * ten.
 */
const defaultPatienceMs = 100;

/** For so long after a dispatch, the relay of this process is the one that fans out. */
const dispatchingForMs = 1_000;

/** Predecessors of a delivery that waits may be on their way; those that take longer can wait longer. */
const hurryForMs = 1_000;

/**
 * A backlog at full pace is not slowed down: most of its results let the next delivery go, and with a
 * small window their batches are small, too. Beside fresh deliveries its results are stored along with
 * theirs, so a small window costs the others little.
 */
const drainingShare = 0.5;

/** Stores results in batches. */
export function createSettlements({
  concurrency,
  nowMs = () => performance.now(),
  patienceMs = defaultPatienceMs,
  ...deps
}: SettlementsDeps): Settlements {
  let isDraining = false;
  let dispatchedAt = Number.NEGATIVE_INFINITY;
  let hurriedAt = Number.NEGATIVE_INFINITY;
  const settler = createSettler({
    ...deps,
    onSettled: (results, due) => {
      isDraining = due >= results * drainingShare;
    },
  });
  const batcher = createBatcher<Settlement, boolean>(settler.settle, maxBatchSize, {
    ...gathering,
    mayWait: () => !isDraining || deps.pace() !== "full",
  });
  /** Deliveries hold their slots until their results are stored. */
  const areSlotsFree = ({ object }: Settlement): boolean =>
    (deps.freeSlots(object) ?? 0) >= concurrency / 2;
  const mayWait = (settlement: Settlement): boolean => {
    const now = nowMs();
    return (
      now - dispatchedAt < dispatchingForMs &&
      now - hurriedAt >= hurryForMs &&
      areSlotsFree(settlement) &&
      !settler.isUrgent(settlement)
    );
  };
  return {
    add: (settlement) => batcher.add(settlement, mayWait(settlement) ? patienceMs : 0),
    noteDispatch: () => {
      dispatchedAt = nowMs();
    },
    hurry: () => {
      hurriedAt = nowMs();
      batcher.hurry();
    },
    untilDispatched: (maxMs) =>
      withTimeout(settler.untilDispatched(), maxMs, "jobs").catch(() => undefined),
  };
}
