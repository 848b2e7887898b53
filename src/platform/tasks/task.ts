import { type TaskKind, taskKinds, type TaskQueueName } from "../../contracts/jobs.ts";
import { type Trx, rowsOf } from "../db/pool.ts";
import { preparedRowsOf } from "../db/prepared.ts";
import type { Clock } from "../clock.ts";
import { availableParallelism } from "node:os";
import { afterCommit } from "../db/open-transaction.ts";

/** Work to be done later or outside a request. */
export type NewTask = Readonly<{
  kind: TaskKind;
  /** The subject, `ticket:1000`. At most one task per kind and key is open. */
  key: string;
  enterpriseId: number;
  /** Earliest time. Now or the past: as soon as the transaction is committed. */
  dueAt: Date;
  data?: Readonly<Record<string, unknown>>;
}>;

/** How features plan tasks, in their own transaction: the task exists if and only if the entity does. */
export type Tasks = {
  /**
   * Plans tasks. Replaces an open task of the same kind and key; a worker that runs the old one loses
   * it.
   */
  plan(trx: Trx, tasks: readonly NewTask[]): Promise<void>;
  /** Ends the open task of that kind and key, if there is one. */
  cancel(trx: Trx, task: Readonly<{ kind: TaskKind; key: string }>): Promise<void>;
};

/** A task that a worker has claimed until its lease ends. */
export type RunningTask = Readonly<{
  id: number;
  kind: TaskKind;
  key: string;
  enterpriseId: number;
  data: Readonly<Record<string, unknown>>;
  /** The number of the attempt, from 1. */
  attempt: number;
  generation: number;
}>;

export type TaskOutcome =
  | Readonly<{ kind: "done" }>
  /** The handler has planned the next run itself, or cancelled the task. */
  | Readonly<{ kind: "replanned" }>
  /** Not finished: runs again at that time. */
  | Readonly<{ kind: "again"; dueAt: Date; reason: string }>
  /** Failed for good: kept for the operator. */
  | Readonly<{ kind: "failed"; reason: string }>;

/**
 * Does the work of one kind. It may run twice (a worker may die after the work, before its result is
 * stored), so it checks under a lock whether there is still something to do. An exception counts as
 * our own error: the task is retried with backoff.
 */
export type TaskHandler = (task: RunningTask, signal: AbortSignal) => Promise<TaskOutcome>;

export type TaskHandlers = Readonly<Partial<Record<TaskKind, TaskHandler>>>;

/**
 * In: tasks of a use case, inside its transaction. Out: rows in `tasks`.
 * Guarantee: the task exists if and only if its use case was committed; at most one is open per kind
 * and key.
 * On crash: before the commit nothing happened; after it the scheduler finds the row.
 */
export type TasksDeps = {
  clock: Clock;
  /** Called after the commit if a task is due: for latency, not for correctness. */
  wake: () => void;
};

export type TaskQueueLimits = Readonly<{
  /** Concurrent tasks per process. */
  concurrency: number;
  /** The lease of a claim, renewed three times within this time. */
  leaseMs: number;
  /** A task that takes longer is aborted and retried. */
  timeoutMs: number;
  /** Above this number of jobs in the queue nothing is added: the rest waits in the table. */
  highWater: number;
}>;

/** Text recognition takes a whole core, and one is left for everything else. */
const mediaAtOnce = Math.max(1, availableParallelism() - 1);

export const taskQueueLimits: Readonly<Record<TaskQueueName, TaskQueueLimits>> = {
  timers: { concurrency: 8, leaseMs: 30_000, timeoutMs: 20_000, highWater: 500 },
  messages: { concurrency: 16, leaseMs: 60_000, timeoutMs: 45_000, highWater: 500 },
  media: {
    concurrency: mediaAtOnce,
    leaseMs: 120_000,
    timeoutMs: 3_600_000,
    highWater: 50,
  },
};

/**
 * Sorted, so that two transactions cannot deadlock. Replaces an open task in any state: its worker
 * fails on the raised generation.
 */
const planSql = `
  INSERT INTO tasks (queue, kind, key, enterprise_id, due_at, data, created_at)
  SELECT queue, kind, key, enterprise_id, due_at, data, now
  FROM json_to_recordset(?::json) AS input (queue text, kind text, key text, enterprise_id bigint,
    due_at timestamptz, data json, now timestamptz)
  ORDER BY kind, key
  ON CONFLICT (kind, key) WHERE state IN ('waiting', 'queued', 'running') DO UPDATE
  SET enterprise_id = excluded.enterprise_id, due_at = excluded.due_at, data = excluded.data,
    created_at = excluded.created_at, state = 'waiting', generation = tasks.generation + 1,
    attempts = 0, queued_at = NULL, lease_until = NULL, error = NULL`;

/** Ends the open task, even while a worker runs it. */
const cancelSql = `
  UPDATE tasks SET state = 'done', generation = generation + 1, ended_at = ?, lease_until = NULL,
    error = 'cancelled'
  WHERE kind = ? AND key = ? AND state IN ('waiting', 'queued', 'running')`;

export function createTasks({ clock, wake }: TasksDeps): Tasks {
  return {
    plan: async (trx, tasks) => {
      const now = clock.now();
      const rows = new Map(
        tasks.map(({ kind, key, enterpriseId, dueAt, data = {} }: NewTask) => [
          `${kind} ${key}`,
          {
            queue: taskKinds[kind],
            kind,
            key,
            enterprise_id: enterpriseId,
            due_at: dueAt,
            data,
            now,
          },
        ]),
      );
      await preparedRowsOf(trx, planSql, [JSON.stringify([...rows.values()])]);
      if (tasks.some(({ dueAt }) => dueAt <= now)) {
        afterCommit(trx, wake);
      }
    },
    cancel: async (trx, { kind, key }) => {
      await rowsOf(trx, cancelSql, [clock.now(), kind, key]);
    },
  };
}
