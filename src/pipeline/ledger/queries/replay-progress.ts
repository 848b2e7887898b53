/** How the deliveries of a replay stand, as a part of a statement on `replays`. */
import { liveStatesSql } from "../state-sql.ts";

export type ReplayProgress = {
  dead: number;
  cancelled: number;
  /** Neither delivered nor given up. */
  waiting: number;
  /** Among the newest deliveries of its subscription: its own of the last minute, and since when. */
  recent: number;
  recentSince: Date | null;
};

export type ReplayProgressRow = {
  dead: number;
  cancelled: number;
  waiting: number;
  recent: number;
  recent_since: Date | null;
};

/** The present speed is that among so many of the newest deliveries: a bounded read. */
const maxRecent = 20_000;

export const replayProgressColumns =
  "ended.dead, ended.cancelled, ended.waiting, speed.recent, speed.recent_since";

/**
 * Joins about the row `r` of `replays`; the binding is the time since which deliveries are recent. A
 * replay's deliveries have sequences above those it found, so the indexes of what failed and of what
 * is new are read from there on. The speed is asked for while something is made only.
 */
export const replayProgressSql = `
  CROSS JOIN LATERAL (
    SELECT
      (SELECT count(*) FROM deliveries d WHERE d.subscription_id = r.subscription_id
         AND d.state = 'dead' AND d.sequence > r.last_sequence AND d.replay_id = r.id) AS dead,
      (SELECT count(*) FROM deliveries d WHERE d.subscription_id = r.subscription_id
         AND d.state = 'cancelled' AND d.sequence > r.last_sequence
         AND d.replay_id = r.id) AS cancelled,
      (SELECT count(*) FROM deliveries d WHERE d.replay_id = r.id
         AND d.state IN ${liveStatesSql}) AS waiting
  ) AS ended
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE n.replay_id = r.id AND n.created_at > ?) AS recent,
      CASE WHEN count(*) = ${maxRecent} THEN min(n.created_at) END AS recent_since
    FROM (
      SELECT d.replay_id, d.created_at FROM deliveries d
      WHERE r.state = 'running' AND d.subscription_id = r.subscription_id
        AND d.sequence > r.last_sequence
      ORDER BY d.sequence DESC LIMIT ${maxRecent}) AS n
  ) AS speed`;

export function toReplayProgress(row: ReplayProgressRow): ReplayProgress {
  return {
    dead: row.dead,
    cancelled: row.cancelled,
    waiting: row.waiting,
    recent: row.recent,
    recentSince: row.recent_since,
  };
}
