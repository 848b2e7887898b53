import type { Scope } from "../contracts/permissions.ts";
import { roomReachSql } from "../access/reach.ts";
import { startOfDaySql } from "../platform/db/days.ts";
import type { SqlCondition } from "../platform/db/where.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { DayPeriod } from "./row.ts";

export type SessionKind = "conference" | "ticket";

/** Totals of a set of sessions. */
export type SessionCounts = Readonly<{
  sessions: number;
  participants: number;
  billedSeconds: number;
  /** From the first join to the last leave, summed over all sessions. */
  lengthSeconds: number;
}>;

export type ServiceGroup = Readonly<{ id: number; key: string; name: string }>;

export type SessionSummary = Readonly<{
  total: SessionCounts;
  /** By day of the enterprise's calendar. Days without sessions are absent. */
  days: ReadonlyMap<string, SessionCounts>;
  services: readonly (ServiceGroup & SessionCounts)[];
}>;

/** Sessions that ended on a day of the period and not after `endedBy`. */
export type SessionSelection = Readonly<{
  scope: Scope;
  period: DayPeriod;
  timeZone: string;
  kind: SessionKind;
  serviceKey: string | undefined;
  endedBy: Date;
}>;

/** Keyset cursor. `at` is a text with microseconds, which a Date would lose. */
export type SessionCursor = Readonly<{ at: string; id: string }>;

export type SessionExportRow = Readonly<{
  id: string;
  startedAt: Date;
  finishedAt: Date;
  billedSeconds: number;
  participants: number;
  organizer: string;
  serviceName: string;
  serviceKey: string;
  cursorAt: string;
}>;

const bounds = `bounds AS MATERIALIZED (
    SELECT CAST(? AS bigint) AS enterprise_id, z.name AS zone,
      ${startOfDaySql("d.first", "z.name")} AS since,
      ${startOfDaySql("d.after_last", "z.name")} AS until
    FROM (SELECT CAST(? AS date)::timestamp AS first, (CAST(? AS date) + 1)::timestamp AS after_last) AS d,
      (SELECT CAST(? AS text) AS name) AS z
  )`;

const source = `bounds b JOIN sessions s ON s.enterprise_id = b.enterprise_id
    AND s.finished_at >= b.since AND s.finished_at < b.until
  LEFT JOIN conferences c ON c.conversation_id = s.conversation_id
  LEFT JOIN tickets t ON t.conversation_id = s.conversation_id AND t.deleted_at IS NULL
  JOIN services v ON v.id = coalesce(c.service_id, t.service_id)`;

type SessionGroupRow = SessionCounts & {
  kind: number;
  day: string | null;
  id: number | null;
  key: string | null;
  name: string | null;
};

/** `GROUPING(day, service_id)` of each kind of row. */
const kinds = { day: 1, service: 2, total: 3 } as const;

/** Aggregates the sessions of a period in one statement. */
export async function readSessionSummary(
  db: Queryable,
  selection: SessionSelection,
  mostGroups: number,
): Promise<SessionSummary> {
  const { sql, bindings } = matching(selection);
  const rows = await rowsOf<SessionGroupRow>(db, summarySql(sql), [
    ...boundsOf(selection),
    ...bindings,
    mostGroups,
  ]);
  const of = (kind: number): SessionGroupRow[] => rows.filter((row) => row.kind === kind);
  return {
    total: countsOf(of(kinds.total)[0]),
    days: new Map(of(kinds.day).map((row) => [row.day ?? "", countsOf(row)])),
    services: of(kinds.service).map((row) => ({
      ...{ id: row.id ?? 0, key: row.key ?? "", name: row.name ?? "" },
      ...countsOf(row),
    })),
  };
}

function summarySql(where: string): string {
  return `
  WITH ${bounds},
  found AS (
    SELECT to_char(s.finished_at AT TIME ZONE b.zone, 'YYYY-MM-DD') AS day, v.id AS service_id,
      s.participant_count, s.billing_seconds,
      floor(extract(epoch FROM s.finished_at - s.started_at)) AS seconds
    FROM ${source} WHERE ${where}
  ),
  summed AS (
    SELECT GROUPING(day, service_id) AS kind, day, service_id, count(*) AS sessions,
      CAST(coalesce(sum(participant_count), 0) AS bigint) AS participants,
      CAST(coalesce(sum(billing_seconds), 0) AS bigint) AS billed,
      CAST(coalesce(sum(seconds), 0) AS bigint) AS length
    FROM found GROUP BY GROUPING SETS ((day), (service_id), ())
  ),
  ranked AS (
    SELECT *, row_number() OVER (PARTITION BY kind ORDER BY sessions DESC, service_id) AS place
    FROM summed
  )
  SELECT r.kind, r.day, v.id, v.service_key AS key, v.name, r.sessions, r.participants,
    r.billed AS "billedSeconds", r.length AS "lengthSeconds"
  FROM ranked r LEFT JOIN services v ON v.id = r.service_id
  WHERE r.kind <> ${kinds.service} OR r.place <= ?
  ORDER BY r.kind, r.day, r.place`;
}

function countsOf(row: SessionGroupRow | undefined): SessionCounts {
  return {
    sessions: row?.sessions ?? 0,
    participants: row?.participants ?? 0,
    billedSeconds: row?.billedSeconds ?? 0,
    lengthSeconds: row?.lengthSeconds ?? 0,
  };
}

/** The next sessions after the cursor, oldest first (keyset pagination on the index). */
export async function listSessionsAfter(
  db: Queryable,
  selection: SessionSelection,
  { after, limit }: Readonly<{ after: SessionCursor | undefined; limit: number }>,
): Promise<SessionExportRow[]> {
  const { sql, bindings } = matching(selection);
  const rest = after === undefined ? "" : "AND (s.finished_at, s.id) > (CAST(? AS timestamptz), ?)";
  return rowsOf<SessionExportRow>(
    db,
    `WITH ${bounds}
     SELECT s.id, s.started_at AS "startedAt", s.finished_at AS "finishedAt",
       s.billing_seconds AS "billedSeconds", s.participant_count AS participants,
       coalesce(nullif(trim(u.firstname || ' ' || u.lastname), ''), u.login, '') AS organizer,
       v.name AS "serviceName", v.service_key AS "serviceKey",
       CAST(s.finished_at AS text) AS "cursorAt"
     FROM ${source} LEFT JOIN users u ON u.id = coalesce(c.organizer_id, t.agent_id)
     WHERE ${sql} ${rest}
     ORDER BY s.finished_at, s.id LIMIT ?`,
    [
      ...boundsOf(selection),
      ...bindings,
      ...(after === undefined ? [] : [after.at, after.id]),
      limit,
    ],
  );
}

function matching({ scope, kind, serviceKey, endedBy }: SessionSelection): SqlCondition {
  const reach = roomReachSql(scope);
  const isOfKind = kind === "ticket" ? "t.id IS NOT NULL" : "c.id IS NOT NULL";
  const service = serviceKey === undefined ? "" : "AND v.service_key = ?";
  return {
    sql: `s.finished_at <= ? AND ${isOfKind} ${service} AND ${reach.sql}`,
    bindings: [endedBy, ...(serviceKey === undefined ? [] : [serviceKey]), ...reach.bindings],
  };
}

function boundsOf({ scope, period, timeZone }: SessionSelection): readonly unknown[] {
  return [...[scope.enterpriseId, period.since, period.until, timeZone]];
}

/** Whether the enterprise has this service. */
export async function isServiceKnown(
  db: Queryable,
  enterpriseId: number,
  serviceKey: string,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    "SELECT 1 FROM services WHERE enterprise_id = ? AND service_key = ?",
    [enterpriseId, serviceKey],
  );
  return rows.length > 0;
}
