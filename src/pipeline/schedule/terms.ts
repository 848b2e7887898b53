import { rowsOf, type Queryable } from "../../platform/db/pool.ts";

/** How long things are kept, by what the enterprises have set. In days. */
export type Terms = Readonly<{
  /** Every number of days for which some enterprise keeps contents, or its log. */
  payloadDays: readonly number[];
  logDays: readonly number[];
  /** Changes whenever an enterprise changes its own. */
  signature: string;
}>;

const dayMs = 86_400_000;

/** The settings of all enterprises; `retentionDays` where one has none of its own. */
export async function readTerms(db: Queryable, retentionDays: number): Promise<Terms> {
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
 * How long partitions are kept. The row of an event says what a delivery in the log was about, so
 * it stays as long as any log, without its body where that is over.
 */
export function keptDays({ payloadDays, logDays }: Terms) {
  return {
    events: Math.max(...payloadDays, ...logDays),
    attempts: Math.max(...logDays),
  };
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

/** The day of a time, in UTC, some days later: `2027-03-01`. */
export function dayOf(date: Date, plusDays = 0): string {
  return new Date(date.getTime() + plusDays * dayMs).toISOString().slice(0, 10);
}
