/**
 * The SQL of open tasks. State machine:
 *
 *   waiting ──enqueue───► queued ──claim──► running ──settle──► done | failed
 *      ▲                     │                 │
 *      └──── job lost ───────┴── lease ended, again, threw, process stopped
 *
 * Every transition except claim and settle raises `generation`. Claim and settle require the generation
 * they know (compare-and-swap), so a late worker finds that it lost the task.
 */
import type { TaskJob, TaskKind, TaskQueueName } from "../../contracts/jobs.ts";
import { rowsOf, type Queryable } from "../db/pool.ts";
import { preparedRowsOf } from "../db/prepared.ts";
import type { RunningTask } from "./task.ts";

type TaskClaim = Pick<RunningTask, "id" | "generation">;

const waitingSql = "state = 'waiting', generation = generation + 1, lease_until = NULL";

const sweepBatch = 1_000;

export type TaskQueueCounts = {
  waiting: number;
  due: number;
  queued: number;
  running: number;
  failed: number;
  oldest: Date | null;
};

/** When the first task of each queue is due; omits queues without one until `until`. */
export async function listDueQueues(
  db: Queryable,
  queueNames: readonly TaskQueueName[],
  until: Date,
): Promise<{ queueName: TaskQueueName; dueAt: Date }[]> {
  return preparedRowsOf(
    db,
    `SELECT names.queue AS "queueName", first.due_at AS "dueAt" FROM unnest(?::text[]) AS names(queue)
     CROSS JOIN LATERAL (SELECT t.due_at FROM tasks t
       WHERE t.queue = names.queue AND t.state = 'waiting' AND t.due_at <= ?
       ORDER BY t.due_at LIMIT 1) AS first`,
    [queueNames, until],
  );
}

/** Enqueues the tasks that are due longest. Two processes never take the same one. */
export async function enqueueDue(
  db: Queryable,
  { queueName, now, limit }: { queueName: TaskQueueName; now: Date; limit: number },
): Promise<TaskJob[]> {
  return rowsOf<TaskJob>(
    db,
    `UPDATE tasks t SET state = 'queued', generation = t.generation + 1, queued_at = ?
     FROM (SELECT id FROM tasks WHERE queue = ? AND state = 'waiting' AND due_at <= ?
           ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED) AS due
     WHERE t.id = due.id
     RETURNING t.id AS "taskId", t.generation`,
    [now, queueName, now, limit],
  );
}

/** Undoes an enqueue whose jobs could not be added. */
export async function requeue(db: Queryable, taskJobs: readonly TaskJob[]): Promise<void> {
  await rowsOf(
    db,
    `UPDATE tasks t SET state = 'waiting', generation = t.generation + 1, queued_at = NULL
     FROM json_to_recordset(?::json) AS input ("taskId" bigint, generation integer)
     WHERE t.id = input."taskId" AND t.generation = input.generation AND t.state = 'queued'`,
    [JSON.stringify(taskJobs)],
  );
}

type TaskRow = {
  id: number;
  kind: TaskKind;
  key: string;
  enterprise_id: number;
  data: Record<string, unknown>;
  attempts: number;
  generation: number;
};

/** Claims the task until the lease ends; undefined if another worker has it. */
export async function claimTask(
  db: Queryable,
  { taskId, generation }: TaskJob,
  { queueName, leaseUntil }: { queueName: TaskQueueName; leaseUntil: Date },
): Promise<RunningTask | undefined> {
  const [row] = await preparedRowsOf<TaskRow>(
    db,
    `UPDATE tasks SET state = 'running', attempts = attempts + 1, lease_until = ?
     WHERE id = ? AND generation = ? AND state = 'queued' AND queue = ?
     RETURNING id, kind, key, enterprise_id, data, attempts, generation`,
    [leaseUntil, taskId, generation, queueName],
  );
  return row === undefined
    ? undefined
    : {
        id: row.id,
        kind: row.kind,
        key: row.key,
        enterpriseId: row.enterprise_id,
        data: row.data,
        attempt: row.attempts,
        generation: row.generation,
      };
}

export async function renewLease(
  db: Queryable,
  task: TaskClaim,
  leaseUntil: Date,
): Promise<boolean> {
  return updateClaimed(db, task, { sql: "lease_until = ?", bindings: [leaseUntil] });
}

export async function endTask(
  db: Queryable,
  task: TaskClaim,
  end: { state: "done" | "failed"; error: string | null; at: Date },
): Promise<boolean> {
  return updateClaimed(db, task, {
    sql: "state = ?, error = ?, ended_at = ?, lease_until = NULL",
    bindings: [end.state, end.error, end.at],
  });
}

/** Postpones the task until then. */
export async function postponeTask(
  db: Queryable,
  task: TaskClaim,
  { dueAt, reason }: { dueAt: Date; reason: string },
): Promise<boolean> {
  return updateClaimed(db, task, {
    sql: `${waitingSql}, due_at = ?, error = ?`,
    bindings: [dueAt, reason],
  });
}

/** The handler threw: retries with backoff. */
export async function retryTask(
  db: Queryable,
  task: TaskClaim,
  { now, error }: { now: Date; error: string },
): Promise<boolean> {
  return updateClaimed(db, task, {
    sql: `${waitingSql}, due_at = ?::timestamptz + ${backoffSql("attempts")}, error = ?`,
    bindings: [now, error],
  });
}

/** The process stops: another one runs the task at once, as if it had not started. */
export async function returnTask(db: Queryable, task: TaskClaim, now: Date): Promise<boolean> {
  return updateClaimed(db, task, {
    sql: `${waitingSql}, attempts = attempts - 1, due_at = ?`,
    bindings: [now],
  });
}

const claimedSql = "WHERE id = ? AND generation = ? AND state = 'running'";

/** False if the caller no longer holds the task. */
async function updateClaimed(
  db: Queryable,
  task: TaskClaim,
  set: { sql: string; bindings: readonly unknown[] },
): Promise<boolean> {
  const rows = await preparedRowsOf(db, `UPDATE tasks SET ${set.sql} ${claimedSql} RETURNING id`, [
    ...set.bindings,
    task.id,
    task.generation,
  ]);
  return rows.length > 0;
}

/** Queues with an expired lease, or with tasks enqueued before `queuedBefore` and never claimed. */
export async function listQueuesToSweep(
  db: Queryable,
  queueNames: readonly TaskQueueName[],
  { now, queuedBefore }: { now: Date; queuedBefore: Date },
): Promise<TaskQueueName[]> {
  const rows = await preparedRowsOf<{ queueName: TaskQueueName }>(
    db,
    `SELECT names.queue AS "queueName" FROM unnest(?::text[]) AS names(queue)
     WHERE EXISTS (SELECT 1 FROM tasks t
         WHERE t.queue = names.queue AND t.state = 'running' AND t.lease_until < ?)
       OR EXISTS (SELECT 1 FROM tasks t
         WHERE t.queue = names.queue AND t.state = 'queued' AND t.queued_at < ?)`,
    [queueNames, now, queuedBefore],
  );
  return rows.map(({ queueName }) => queueName);
}

/** Enqueued before then and never claimed: the job was lost. */
export async function requeueLost(
  db: Queryable,
  queueName: TaskQueueName,
  before: Date,
): Promise<number> {
  return (
    await rowsOf(
      db,
      `UPDATE tasks t SET state = 'waiting', generation = t.generation + 1, queued_at = NULL
       FROM (SELECT id FROM tasks WHERE queue = ? AND state = 'queued' AND queued_at < ?
             ORDER BY queued_at LIMIT ? FOR UPDATE SKIP LOCKED) AS lost
       WHERE t.id = lost.id RETURNING t.id`,
      [queueName, before, sweepBatch],
    )
  ).length;
}

/** The worker is gone. With backoff: the task itself may kill its workers. */
export async function expireLeases(
  db: Queryable,
  queueName: TaskQueueName,
  now: Date,
): Promise<number> {
  return (
    await rowsOf(
      db,
      `UPDATE tasks t SET state = 'waiting', generation = t.generation + 1, lease_until = NULL,
         due_at = ?::timestamptz + ${backoffSql("t.attempts")}, error = 'The worker stopped before the task ended'
       FROM (SELECT id FROM tasks WHERE queue = ? AND state = 'running' AND lease_until < ?
             LIMIT ? FOR UPDATE SKIP LOCKED) AS lost
       WHERE t.id = lost.id RETURNING t.id`,
      [now, queueName, now, sweepBatch],
    )
  ).length;
}

/** 5 s after the first failure, twice as long after each further one, at most 10 min. */
function backoffSql(attempts: string): string {
  return `least(interval '10 minutes', interval '5 seconds' * power(2, greatest(0, least(${attempts}, 9) - 1)))`;
}

/** One bounded step. Returns the number of deleted tasks. */
export async function deleteEnded(db: Queryable, before: Date, limit: number): Promise<number> {
  return (
    await rowsOf(
      db,
      `DELETE FROM tasks WHERE id IN (
         SELECT id FROM tasks WHERE ended_at < ? ORDER BY ended_at LIMIT ?) RETURNING id`,
      [before, limit],
    )
  ).length;
}

/** Counts of the queue. `oldest` is the due time of the task that has waited longest. */
export async function readTaskQueue(
  db: Queryable,
  queueName: TaskQueueName,
  now: Date,
): Promise<TaskQueueCounts> {
  const [row] = await rowsOf<TaskQueueCounts>(
    db,
    `SELECT ${countSql("state = 'waiting'")} AS waiting,
       ${countSql("state = 'waiting' AND due_at <= input.now")} AS due,
       ${countSql("state = 'queued'")} AS queued,
       ${countSql("state = 'running'")} AS running,
       ${countSql("state = 'failed'")} AS failed,
       least(
         (SELECT due_at FROM tasks WHERE queue = input.queue AND state = 'waiting'
            AND due_at <= input.now ORDER BY due_at LIMIT 1),
         (SELECT min(due_at) FROM tasks WHERE queue = input.queue AND state = 'queued')) AS oldest
     FROM (SELECT ?::text AS queue, ?::timestamptz AS now) AS input`,
    [queueName, now],
  );
  return row ?? { waiting: 0, due: 0, queued: 0, running: 0, failed: 0, oldest: null };
}

/** Counts stop here: an exact count of millions would be expensive. */
const mostCounted = 100_000;

function countSql(where: string): string {
  return `(SELECT count(*) FROM (SELECT 1 FROM tasks WHERE queue = input.queue AND ${where}
    LIMIT ${mostCounted}) AS counted)`;
}
