/**
 * In: passes of the schedule as they end. Out: a row for each, which says when it ran last.
 * Guarantee: written every few seconds for all of them together, so it costs nothing; a process that
 * dies leaves rows that grow old, which is what they are for.
 */
import type { Clock } from "../../platform/clock.ts";
import { rowsOf, type Db } from "../../platform/db/pool.ts";

/** How a pass went. */
export type PassNote = { name: string; everyMs: number; tookMs: number; reason: string | null };

export type PassNotes = {
  /** Notes the end of a run. Of passes of one name the last counts. */
  note(pass: PassNote): void;
  /** Writes what was noted since the last time. */
  write(): Promise<void>;
};

export type SeenPass = {
  name: string;
  everyMs: number;
  ranAt: Date;
  tookMs: number;
  failingSince: Date | null;
  reason: string | null;
};

const writeSql = `
  INSERT INTO schedule_passes AS p (name, every_ms, ran_at, took_ms, failing_since, reason)
  SELECT n.name, n.every_ms, n.ran_at, n.took_ms,
    CASE WHEN n.reason IS NOT NULL THEN n.ran_at END, n.reason
  FROM json_to_recordset(CAST(? AS json)) AS n(name text, every_ms integer, ran_at timestamptz,
    took_ms integer, reason text)
  ORDER BY n.name
  ON CONFLICT (name) DO UPDATE SET every_ms = excluded.every_ms, ran_at = excluded.ran_at,
    took_ms = excluded.took_ms, reason = excluded.reason,
    failing_since = CASE WHEN excluded.reason IS NOT NULL
      THEN coalesce(p.failing_since, excluded.failing_since) END`;

export function createPassNotes({ db, clock }: { db: Db; clock: Clock }): PassNotes {
  const notes = new Map<string, Record<string, unknown>>();
  return {
    note: ({ name, everyMs, tookMs, reason }) => {
      notes.set(name, {
        ...{ name, reason, every_ms: everyMs, took_ms: Math.round(tookMs) },
        ran_at: clock.now(),
      });
    },
    write: async () => {
      const rows = [...notes.values()];
      notes.clear();
      if (rows.length > 0) {
        await rowsOf(db, writeSql, [JSON.stringify(rows)]);
      }
    },
  };
}

type Row = {
  name: string;
  every_ms: number;
  ran_at: Date;
  took_ms: number;
  failing_since: Date | null;
  reason: string | null;
};

/** When each pass ran last, in whatever process. */
export async function readPasses(db: Db): Promise<SeenPass[]> {
  const rows = await rowsOf<Row>(
    db,
    "SELECT name, every_ms, ran_at, took_ms, failing_since, reason FROM schedule_passes ORDER BY name",
  );
  return rows.map((row) => ({
    name: row.name,
    everyMs: row.every_ms,
    ranAt: row.ran_at,
    tookMs: row.took_ms,
    failingSince: row.failing_since,
    reason: row.reason,
  }));
}
