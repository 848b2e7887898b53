/** Waits for locks of a release: short, repeated, and visible in the log. */
import { sleep } from "../concurrency/async.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { isLockConflict } from "./errors.ts";

/**
 * A statement that waits for a table blocks every later query on it. Longer than `deadlock_timeout`
 * (1 s), after which Postgres cancels an autovacuum that is in the way.
 */
export const lockTimeoutMs = 2_000;

/** The queries that queued behind an attempt finish in the pause. */
const firstPauseMs = 1_000;
const longestPauseMs = 10_000;

/** Repeats `work` as long as it ends with a lock time-out, which must have rolled it back. */
export async function retryOnLockTimeout<T>(
  work: () => Promise<T>,
  { giveUpAfterMs, signal }: { giveUpAfterMs: number; signal?: AbortSignal | undefined },
): Promise<T> {
  const startedAt = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (thrown) {
      if (!isLockConflict(toError(thrown))) {
        throw thrown;
      }
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      if (seconds * 1000 >= giveUpAfterMs) {
        throw new Error(`A table was in use for ${seconds} s: run release again`, {
          cause: thrown,
        });
      }
    }
    await sleep(pauseMs, signal);
    signal?.throwIfAborted();
  }
}

export type LockWait = {
  pid: number;
  table: string | null;
  /** The beginning. It may be one of several statements that were sent together. */
  statement: string;
  blockedBy: { pid: number; name: string | null; state: string | null; since: string | null }[];
};

/** The waits of all connections that have the name of this one. Shows no statement of others. */
export const lockWaitsSql = `
  SELECT w.pid,
    (SELECT CAST(CAST(l.relation AS regclass) AS text) FROM pg_locks l
     WHERE l.pid = w.pid AND NOT l.granted LIMIT 1) AS "table",
    left(trim(regexp_replace(regexp_replace(w.query, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g')), 300)
      AS statement,
    json_agg(json_build_object('pid', blocker.pid, 'name', b.application_name,
      'state', b.state, 'since', b.xact_start) ORDER BY blocker.pid) AS "blockedBy"
  FROM pg_stat_activity w
  CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS blocker(pid)
  LEFT JOIN pg_stat_activity b ON b.pid = blocker.pid
  WHERE w.datname = current_database() AND w.wait_event_type = 'Lock'
    AND w.application_name = current_setting('application_name')
  GROUP BY w.pid, w.query`;

/** Shorter than the shortest lock time-out of a migration, so that no wait is missed for long. */
const lookEveryMs = 100;
const sameAgainMs = 30_000;

/** Runs `work`, and meanwhile logs each wait when it is found, and again every 30 seconds. */
export async function reportLockWaits<T>(
  { find, log }: { find: () => Promise<LockWait[]>; log: Pick<Logger, "warn"> | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const isOver = new AbortController();
  const loggedAt = new Map<string, number>();
  const watch = async (): Promise<void> => {
    while (log !== undefined && !isOver.signal.aborted) {
      // Only the report is missing if it fails.
      for (const wait of await find().catch(() => [])) {
        const key = `${wait.statement} ${wait.blockedBy.map(({ pid }) => pid).join()}`;
        if (performance.now() - (loggedAt.get(key) ?? -Infinity) >= sameAgainMs) {
          loggedAt.set(key, performance.now());
          log.warn(wait, "release.waits_for_lock");
        }
      }
      await sleep(lookEveryMs, isOver.signal);
    }
  };
  const watching = watch();
  try {
    return await work();
  } finally {
    isOver.abort();
    await watching;
  }
}
