/** What a step of a replay works with, and how it ends: again now, again later, or over. */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { Tasks } from "../../platform/tasks/task.ts";

export type ReplayStepDeps = {
  db: Db;
  clock: Clock;
  tasks: Tasks;
  /** Called after a commit that created or released deliveries: wakes the due pass early. */
  onDue: () => void;
  /** How long the log is kept where an enterprise has not said otherwise. */
  retentionDays: number;
};

/** Rows that one transaction reads, and deliveries that it makes: it holds the health lock. */
export const maxScanned = 5_000;

/** While the subscription is off, or an attempt is under way that a cancelled replay waits for. */
export const idleMs = 2_000;

/** What a step says about the next one. `later`: not before that time; `pacedTo`: see the model. */
export type StepResult = { kind: "now" | "later" | "over"; dueAt: Date; pacedTo: Date | undefined };

export type StepTime = { now: Date; pacedTo: Date | undefined };

export function finished({ now, pacedTo }: StepTime): StepResult {
  return { kind: "over", dueAt: now, pacedTo };
}

export function postponed({ now, pacedTo }: StepTime, waitMs: number): StepResult {
  return {
    kind: "later",
    dueAt: new Date(now.getTime() + waitMs),
    pacedTo,
  };
}

export function continueNow({ now, pacedTo }: StepTime): StepResult {
  return { kind: "now", dueAt: now, pacedTo };
}
