import type { TaskKind } from "../../contracts/jobs.ts";
import type { Trx } from "../db/pool.ts";

/** Work that happens later or outside a request, as the use case that wants it writes it down. */
export type NewTask = Readonly<{
  kind: TaskKind;
  /** What it is about, `ticket:1000`. Of one kind and key at most one task is open. */
  key: string;
  enterpriseId: number;
  /** Not before. In the past or now: as soon as the transaction is committed. */
  dueAt: Date;
  data?: Readonly<Record<string, unknown>>;
}>;

/** Where slices put tasks. Inside their transaction, so that the task is there if the entity is. */
export type Tasks = {
  /**
   * Writes tasks down. An open task of the same kind and key is replaced: its time and data are the
   * new ones, and who runs the old one no longer holds it.
   */
  plan(trx: Trx, tasks: readonly NewTask[]): Promise<void>;
  /** Ends the open task of that kind and key, if there is one. */
  cancel(trx: Trx, task: Readonly<{ kind: TaskKind; key: string }>): Promise<void>;
};

/** A task that a worker holds until its lease ends. */
export type RunningTask = Readonly<{
  id: number;
  kind: TaskKind;
  key: string;
  enterpriseId: number;
  data: Readonly<Record<string, unknown>>;
  /** 1 for the first. */
  attempt: number;
  generation: number;
}>;

export type TaskOutcome =
  | Readonly<{ kind: "done" }>
  /** The handler has planned the next run itself, or cancelled the task, with its own writes. */
  | Readonly<{ kind: "replanned" }>
  /** Not over: once more at that time. */
  | Readonly<{ kind: "again"; dueAt: Date; reason: string }>
  /** Over, without success: kept for the operator to see. */
  | Readonly<{ kind: "failed"; reason: string }>;

/**
 * Does the work of one kind. It may run twice (a worker that died after the work, before its end
 * was written), so it checks under a lock whether there is still something to do. What it throws is
 * our own fault: the task comes again, later each time.
 */
export type TaskHandler = (task: RunningTask, signal: AbortSignal) => Promise<TaskOutcome>;

export type TaskHandlers = Readonly<Partial<Record<TaskKind, TaskHandler>>>;
