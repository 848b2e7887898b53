/**
 * In: the task of an open replay. Out: its next deliveries, or its state: counted, done, cancelled.
 * Guarantee: the deliveries of a step, the progress of the replay and the time of its next step are
 * committed together. So a replay continues after any crash, and no event is left out or delivered
 * twice. Steps of one replay are serialized by the lock of its row.
 * On crash: the next step is already planned. If a worker dies within a step, the step planned at
 * its start runs a few seconds later.
 */
import type { Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { NewTask, RunningTask, TaskHandlers, TaskOutcome } from "../../platform/tasks/task.ts";
import {
  lockDeliveryTarget,
  cancelReplayDeliveries,
} from "../../pipeline/ledger/replay-deliveries.ts";
import { expediteNext, readChunk, startOf } from "./walk.ts";
import type { Replay } from "./model.ts";
import { lockReplay, saveReplay } from "./store.ts";
import {
  makeDeliveries,
  scopeOf,
  type ReplayStepDeps,
  maxScanned,
  idleMs,
  type StepResult,
  type StepTime,
  finished,
  postponed,
  continueNow,
} from "./make-deliveries.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

/** The data of the task: which replay. */
type ReplayRef = Pick<Replay, "enterpriseId" | "id">;

/** The handler of `replay.step`. */
export function createReplayTasks(deps: ReplayStepDeps): TaskHandlers {
  return {
    "replay.step": (task, signal) => run(deps, task, signal),
  };
}

/** How long one run continues without waiting. Other tasks need the worker too. */
const runMs = 3_000;

async function run(
  deps: ReplayStepDeps,
  task: RunningTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const owner = ownerOf(task);
  const stored = task.data["pacedTo"];
  let pacedTo = typeof stored === "string" ? new Date(stored) : undefined;
  let isMore = await planWatchdog(deps, owner, pacedTo);
  if (!isMore) {
    return { kind: "done" };
  }
  const endsAt = performance.now() + runMs;
  while (isMore) {
    const isLast = signal.aborted || performance.now() > endsAt;
    const next = await step(deps, owner, { pacedTo, isLast });
    pacedTo = next.pacedTo;
    isMore = next.kind === "now" && !isLast;
  }
  return { kind: "replanned" };
}

function ownerOf({ key, enterpriseId }: RunningTask): ReplayRef {
  return {
    enterpriseId,
    id: Number(key.slice("replay:".length)),
  };
}

/** When a step is retried if its worker dies. */
const watchdogMs = 10_000;

/**
 * Replaces the task by one that is due a little later: if this worker dies, the replay does not
 * wait for its lease to end. False if there is nothing to do.
 */
async function planWatchdog(
  { db, clock, tasks }: ReplayStepDeps,
  owner: ReplayRef,
  pacedTo?: Date,
) {
  return inTransaction(db, async (trx) => {
    const replay = await lockReplay(trx, owner);
    const isOpen =
      replay !== undefined && ["counting", "running", "cancelled"].includes(replay.state);
    if (isOpen) {
      const dueAt = new Date(clock.now().getTime() + watchdogMs);
      await tasks.plan(trx, [replayTask(replay, dueAt, pacedTo)]);
    }
    return isOpen;
  });
}

/** One transaction. `isLast`: plans the next step, because this run ends. */
async function step(
  deps: ReplayStepDeps,
  owner: ReplayRef,
  { pacedTo, isLast }: { pacedTo: Date | undefined; isLast: boolean },
): Promise<StepResult> {
  return inTransaction(deps.db, async (trx) => {
    const at = { now: deps.clock.now(), pacedTo };
    const replay = await lockReplay(trx, owner);
    if (replay === undefined) {
      return finished(at);
    }
    const next = await runState(trx, deps, replay, at);
    const task = replayTask(replay, next.dueAt, next.pacedTo);
    if (next.kind === "over") {
      await deps.tasks.cancel(trx, task);
    } else if (next.kind === "later" || isLast) {
      await deps.tasks.plan(trx, [task]);
    }
    return next;
  });
}

async function runState(
  trx: Trx,
  deps: ReplayStepDeps,
  replay: Replay,
  at: StepTime,
): Promise<StepResult> {
  switch (replay.state) {
    case "counting":
      return count(trx, deps, replay, at);
    case "running":
      return makeDeliveries(trx, deps, replay, at);
    case "cancelled":
      return cancelMade(trx, deps, replay, at);
    case "paused":
    case "done":
    case "failed":
      return finished(at);
  }
}

async function count(
  trx: Trx,
  deps: ReplayStepDeps,
  replay: Replay,
  at: StepTime,
): Promise<StepResult> {
  if (replay.position.phase === "retries") {
    await saveReplay(trx, { ...replay, position: await expediteNext(trx, deps, replay, at.now) });
    return continueNow(at);
  }
  const limits = { scanLimit: maxScanned, matchLimit: maxScanned };
  const scope = await scopeOf(trx, deps, replay, at.now);
  const { found, next } = await readChunk(trx, scope, replay.position, limits);
  const counted = { ...replay, total: replay.total + found.length, position: next };
  const isOver = next.phase === "end";
  await saveReplay(
    trx,
    isOver ? { ...counted, state: "running", position: startOf(replay), started: at.now } : counted,
  );
  return continueNow(at);
}

const maxCancelledAtOnce = 1_000;

/** Cancels the unsent deliveries of a cancelled replay. */
async function cancelMade(
  trx: Trx,
  { onDue }: ReplayStepDeps,
  { id, enterpriseId, subscriptionId }: Replay,
  at: StepTime,
): Promise<StepResult> {
  const target = await lockDeliveryTarget(trx, enterpriseId, subscriptionId);
  if (target === undefined) {
    return finished(at); // deleted: the schedule cancels everything
  }
  const limits = { replayId: id, now: at.now, limit: maxCancelledAtOnce };
  const { cancelled, isMore } = await cancelReplayDeliveries(trx, target, limits);
  if (cancelled > 0) {
    afterCommit(trx, onDue);
  }
  if (!isMore) {
    return finished(at);
  }
  return cancelled === 0 ? postponed(at, idleMs) : continueNow(at);
}

export function replayTask(
  { id, enterpriseId }: Pick<Replay, "id" | "enterpriseId">,
  dueAt: Date,
  pacedTo?: Date,
): NewTask {
  return {
    kind: "replay.step",
    key: `replay:${id}`,
    enterpriseId,
    dueAt,
    data: pacedTo === undefined ? {} : { pacedTo: pacedTo.toISOString() },
  };
}
