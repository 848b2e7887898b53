import { dayMs } from "../../platform/clock.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { readOldestNeeded } from "../ledger/delete-old.ts";

/** The retention periods of all enterprises, in days. */
export type RetentionSettings = Readonly<{
  /** The distinct retention periods of payloads and of logs. */
  payloadDays: readonly number[];
  logDays: readonly number[];
  /** Changes whenever an enterprise changes its retention. */
  signature: string;
}>;

/** The settings of all enterprises; `retentionDays` is the default. */
export async function readRetentionSettings(
  db: Queryable,
  retentionDays: number,
): Promise<RetentionSettings> {
  const [row] = await rowsOf<{ payload: number[] | null; log: number[] | null; own: string }>(
    db,
    `SELECT array_agg(DISTINCT coalesce(payload_days, days)) AS payload,
       array_agg(DISTINCT coalesce(log_days, days)) AS log,
       md5(string_agg(format('%s/%s/%s', id, payload_days, log_days), ',' ORDER BY id)
         FILTER (WHERE payload_days IS NOT NULL OR log_days IS NOT NULL)) AS own
     FROM enterprises, (SELECT CAST(? AS integer) AS days) AS platform`,
    [retentionDays],
  );
  return {
    payloadDays: row?.payload ?? [retentionDays],
    logDays: row?.log ?? [retentionDays],
    signature: `${retentionDays} ${row?.own ?? ""}`,
  };
}

/**
 * How long partitions are kept. An event row is kept as long as any log, because it says what a
 * delivery was about; its body may be removed earlier.
 */
export function keptDays({ payloadDays, logDays }: RetentionSettings) {
  return {
    events: Math.max(...payloadDays, ...logDays),
    attempts: Math.max(...logDays),
  };
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

/** The horizon, or the time of the oldest event still needed if that is earlier. */
export async function readRetentionHorizon(db: Queryable, horizon: Date): Promise<Date> {
  const oldest = (await readOldestNeeded(db)) ?? horizon;
  return oldest < horizon ? oldest : horizon;
}
