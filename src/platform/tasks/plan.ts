/**
 * In: tasks of a use case, inside its transaction. Out: rows in `tasks`.
 * Guarantee: the task is there if and only if what wants it was committed; of one kind and key at
 * most one is open.
 * On crash: before the commit nothing happened; after it the hand-out finds the row.
 */
import { taskKinds } from "../../contracts/jobs.ts";
import type { Clock } from "../clock.ts";
import { preparedRowsOf, rowsOf } from "../db/pool.ts";
import type { NewTask, Tasks } from "./task.ts";

export type TasksDeps = {
  clock: Clock;
  /** Called after the commit where something is due: only haste, never needed for correctness. */
  wake: () => void;
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
