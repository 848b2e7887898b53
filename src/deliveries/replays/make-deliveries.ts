/** One step of a replay: creates its next deliveries at the chosen rate. */
import type { Trx, Db } from "../../platform/db/pool.ts";
import {
  countUnattempted,
  createReplayDeliveries,
  lockDeliveryTarget,
  readDeliveryTarget,
} from "../../pipeline/ledger/replay-deliveries.ts";
import { readChunk } from "./walk.ts";
import { allowanceOf, maxUnattempted, paceAfter, type Replay } from "./model.ts";
import type { ReplayScope } from "./walk-chunks.ts";
import { readLogSince, saveReplay } from "./store.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Tasks } from "../../platform/tasks/task.ts";
import { afterCommit } from "../../platform/db/open-transaction.ts";

/** The dependencies of a step. */
export type ReplayStepDeps = {
  db: Db;
  clock: Clock;
  tasks: Tasks;
  /** Called after a commit that created or released deliveries: wakes the due pass early. */
  onDue: () => void;
  /** Default retention for enterprises without their own. */
  retentionDays: number;
};

/** Batch size of one transaction, which holds the health lock. */
export const maxScanned = 5_000;

/**
 * The pause while the subscription is off, or while a cancelled replay waits for an attempt in
 * flight.
 */
export const idleMs = 2_000;

/** When the next step runs. `later`: not before that time. For `pacedTo` see model.ts. */
export type StepResult = { kind: "now" | "later" | "over"; dueAt: Date; pacedTo: Date | undefined };

export type StepTime = { now: Date; pacedTo: Date | undefined };

const maxMade = 1_000;

const stepMs = 200;

export async function makeDeliveries(
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

/** Creates the next deliveries of an active subscription. */
async function makeNext(
  trx: Trx,
  deps: ReplayStepDeps,
  { replay, taken }: { replay: Replay; taken: number },
  { now, pacedTo }: StepTime,
): Promise<StepResult> {
  const scanLimit = Math.min(maxScanned, Math.max(1_000, 2 * taken));
  const limits = { scanLimit, matchLimit: taken };
  const scope = await scopeOf(trx, deps, replay, now);
  const { found, next } = await readChunk(trx, scope, replay.position, limits);
  const target = await lockDeliveryTarget(trx, replay.enterpriseId, replay.subscriptionId);
  if (target?.isActive !== true) {
    return postponed({ now, pacedTo }, 0); // switched off or deleted since it was read
  }
  const kept = found.filter(({ isKept }) => isKept);
  const { id: replayId, lastSequence } = replay;
  const into = { replayId, lastSequence, now };
  const made = (await createReplayDeliveries(trx, target, into, kept)).length;
  if (made > 0) {
    afterCommit(trx, deps.onDue);
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

export async function scopeOf(
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

export function postponed({ now, pacedTo }: StepTime, waitMs: number): StepResult {
  return {
    kind: "later",
    dueAt: new Date(now.getTime() + waitMs),
    pacedTo,
  };
}

export function finished({ now, pacedTo }: StepTime): StepResult {
  return { kind: "over", dueAt: now, pacedTo };
}

export function continueNow({ now, pacedTo }: StepTime): StepResult {
  return { kind: "now", dueAt: now, pacedTo };
}
