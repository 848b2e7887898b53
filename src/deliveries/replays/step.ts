/**
 * In: the task of an open replay. Out: its next deliveries, or that it is counted, done, withdrawn.
 * Guarantee: the deliveries of a step, how far the replay has come and when its next step is due are
 * committed together or not at all. So a replay goes on from where it was, whatever died, with no
 * event left out or made twice. Steps of one replay take turns on its row.
 * On crash: the next step stands in the table already. A worker that dies inside a step leaves the
 * one that was planned when it began, a few seconds later.
 */
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import type {
  NewTask,
  RunningTask,
  TaskHandlers,
  TaskOutcome,
  Tasks,
} from "../../platform/tasks/task.ts";
import {
  countUnattempted,
  createReplayDeliveries,
  lockDeliveryTarget,
  readDeliveryTarget,
  cancelReplayDeliveries,
} from "../../pipeline/ledger/replay-deliveries.ts";
import { expediteNext, readChunk, startOf } from "./walk.ts";
import { allowanceOf, maxUnattempted, paceAfter, type Replay } from "./model.ts";
import type { ReplayScope } from "./chunk.ts";
import { lockReplay, readLogSince, saveReplay } from "./store.ts";

export type ReplayStepDeps = {
  db: Db;
  clock: Clock;
  tasks: Tasks;
  /** Called after a commit that made or let go something: the schedule hands it out. Only haste. */
  onDue: () => void;
  /** How long the log is kept where an enterprise has not said otherwise. */
  retentionDays: number;
};

/** Rows that one transaction reads, and deliveries that it makes: it holds the health lock. */
const maxScanned = 5_000;

/** While the subscription is off, or an attempt is under way that a cancelled replay waits for. */
const idleMs = 2_000;

/** What a step says about the next one. `later`: not before that time; `pacedTo`: see the model. */
type StepResult = { kind: "now" | "later" | "over"; dueAt: Date; pacedTo: Date | undefined };

type StepTime = { now: Date; pacedTo: Date | undefined };

/** Which replay a task is about. */
type ReplayRef = Pick<Replay, "enterpriseId" | "id">;

/** The handler of `replay.step`. */
export function createReplayTasks(deps: ReplayStepDeps): TaskHandlers {
  return {
    "replay.step": (task, signal) => run(deps, task, signal),
  };
}

/** A run goes on so long where there is nothing to wait for. Other timers want the place, too. */
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

/** When a step is tried again whose worker died in it. */
const watchdogMs = 10_000;

/**
 * Takes the task over into one that is due a little later: should this worker die, the replay need
 * not wait for its lease. False where there is nothing to do.
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

/** One transaction. `isLast`: whoever comes next begins anew, so the next step is planned. */
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
  const limits = { looked: maxScanned, taken: maxScanned };
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

const maxMade = 1_000;

const stepMs = 200;

async function makeDeliveries(
  trx: Trx,
  deps: ReplayStepDeps,
  replay: Replay,
  at: StepTime,
): Promise<StepResult> {
  const target = await readDeliveryTarget(trx, replay.enterpriseId, replay.subscriptionId);
  if (target === undefined) {
    const error = "The webhook was deleted.";
    await saveReplay(trx, { ...replay, state: "failed", error, ended: at.now });
    return finished(at);
  }
  if (!target.isActive) {
    return postponed(at, idleMs);
  }
  const allowed = allowanceOf(replay.rate, at.pacedTo, at.now);
  if (allowed === 0) {
    const oneMore = paceAfter(replay.rate, at.pacedTo, { now: at.now, made: 1 });
    return postponed(at, Math.max(stepMs, oneMore.getTime() - at.now.getTime()));
  }
  const room = maxUnattempted(replay.rate) - (await countUnattempted(trx, replay.id));
  const taken = Math.min(allowed, room, maxMade);
  return taken <= 0 ? postponed(at, stepMs) : makeNext(trx, deps, { replay, taken }, at);
}

/** Makes the next deliveries of a subscription that is on. */
async function makeNext(
  trx: Trx,
  deps: ReplayStepDeps,
  { replay, taken }: { replay: Replay; taken: number },
  { now, pacedTo }: StepTime,
): Promise<StepResult> {
  const limits = { looked: Math.min(maxScanned, Math.max(1_000, 2 * taken)), taken };
  const scope = await scopeOf(trx, deps, replay, now);
  const { found, next } = await readChunk(trx, scope, replay.position, limits);
  const target = await lockDeliveryTarget(trx, replay.enterpriseId, replay.subscriptionId);
  if (target?.isActive !== true) {
    return postponed({ now, pacedTo }, 0); // switched off, or deleted, since it was read
  }
  const kept = found.filter(({ isKept }) => isKept);
  const made = (await createReplayDeliveries(trx, target, { replayId: replay.id, now }, kept))
    .length;
  if (made > 0) {
    void trx.executionPromise.then(deps.onDue, () => undefined);
  }
  const isOver = next.phase === "end";
  await saveReplay(trx, {
    ...replay,
    made: replay.made + made,
    position: next,
    ...(isOver ? { state: "done" as const, ended: now } : {}),
  });
  const after: StepTime = { now, pacedTo: paceAfter(replay.rate, pacedTo, { now, made }) };
  return isOver ? finished(after) : continueNow(after);
}

async function scopeOf(
  trx: Trx,
  { retentionDays }: ReplayStepDeps,
  replay: Replay,
  now: Date,
): Promise<ReplayScope> {
  return {
    ...replay,
    logSince: await readLogSince(trx, replay.enterpriseId, { retentionDays, now }),
  };
}

const maxCancelledAtOnce = 1_000;

/** Cancels what a cancelled replay has made and what is not sent yet. */
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
  const { withdrawn, isMore } = await cancelReplayDeliveries(trx, target, limits);
  if (withdrawn > 0) {
    void trx.executionPromise.then(onDue, () => undefined);
  }
  if (!isMore) {
    return finished(at);
  }
  return withdrawn === 0 ? postponed(at, idleMs) : continueNow(at);
}

function finished({ now, pacedTo }: StepTime): StepResult {
  return { kind: "over", dueAt: now, pacedTo };
}

function postponed({ now, pacedTo }: StepTime, waitMs: number): StepResult {
  return {
    kind: "later",
    dueAt: new Date(now.getTime() + waitMs),
    pacedTo,
  };
}

function continueNow({ now, pacedTo }: StepTime): StepResult {
  return { kind: "now", dueAt: now, pacedTo };
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
