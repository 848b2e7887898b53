import { type TaskKind, taskKinds, type TaskQueueName } from "../../contracts/jobs.ts";
import { type Trx, preparedRowsOf, rowsOf } from "../db/pool.ts";
import type { Clock } from "../clock.ts";
import { availableParallelism } from "node:os";

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

/**
 * In: tasks of a use case, inside its transaction. Out: rows in `tasks`.
 * Guarantee: the task is there if and only if what wants it was committed; of one kind and key at
 * most one is open.
 * On crash: before the commit nothing happened; after it the hand-out finds the row.
 */
export type TasksDeps = {
  clock: Clock;
  /** Called after the commit where something is due: only haste, never needed for correctness. */
  wake: () => void;
};

export type TaskQueueLimits = Readonly<{
  /** Tasks of one process that run at once. */
  concurrency: number;
  /** A worker that died lets go of its tasks after this. Who lives renews it, three times within. */
  leaseMs: number;
  /** A task that takes longer is stopped, and comes again. */
  timeoutMs: number;
  /** Hints in the lane's queue above which nothing is added: the rest waits in the table. */
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
 * In one order for all, so that two transactions never wait for each other. An open task is taken
 * over in any state: the raised generation refuses whoever holds it.
 */
const planSql = `
  INSERT INTO tasks (lane, kind, key, enterprise_id, due_at, data, created_at)
  SELECT lane, kind, key, enterprise_id, due_at, data, now
  FROM json_to_recordset(?::json) AS given (lane text, kind text, key text, enterprise_id bigint,
    due_at timestamptz, data json, now timestamptz)
  ORDER BY kind, key
  ON CONFLICT (kind, key) WHERE state IN ('waiting', 'queued', 'running') DO UPDATE
  SET enterprise_id = excluded.enterprise_id, due_at = excluded.due_at, data = excluded.data,
    created_at = excluded.created_at, state = 'waiting', generation = tasks.generation + 1,
    attempts = 0, queued_at = NULL, lease_until = NULL, error = NULL`;

/** Ends the open task, whoever holds it. */
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
            lane: taskKinds[kind],
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
        void trx.executionPromise.then(wake, () => undefined);
      }
    },
    cancel: async (trx, { kind, key }) => {
      await rowsOf(trx, cancelSql, [clock.now(), kind, key]);
    },
  };
}
