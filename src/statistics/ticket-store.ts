import type { Scope } from "../contracts/permissions.ts";
import { startOfDaySql } from "../platform/db/days.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { DayPeriod, TicketFigures } from "./row.ts";
import { ticketStates, type TicketState } from "../contracts/events.ts";

export type TicketSelection = Readonly<{
  scope: Scope;
  period: DayPeriod;
  timeZone: string;
  hasDeleted: boolean;
  limit: number;
  /** Keyset cursor: only tickets with a greater id. Default: from the start. */
  after?: number | undefined;
}>;

/**
 * Condition on `tickets t` for the tickets within the scope's reach, the same as for the list of
 * tickets.
 */
export type TicketReach = (scope: Scope) => { sql: string; bindings: readonly unknown[] };

/** Totals of a set of tickets, consistent with the rows of the day export. */
export type TicketCounts = Readonly<{
  tickets: number;
  states: Readonly<Partial<Record<TicketState, number>>>;
  answered: number;
  emails: number;
  sms: number;
  calls: number;
  callSeconds: number;
  photos: number;
  videos: number;
}>;

export type NamedGroup = Readonly<{ id: number; name: string }>;

export type TicketSummary = Readonly<{
  total: TicketCounts;
  /** By day of the enterprise's calendar. Days without tickets are absent. */
  days: ReadonlyMap<string, TicketCounts>;
  services: readonly (NamedGroup & TicketCounts)[];
  /** Id 0 stands for unassigned tickets. */
  agents: readonly (NamedGroup & TicketCounts)[];
}>;

export type TicketSummaryQuery = Readonly<{
  scope: Scope;
  period: DayPeriod;
  timeZone: string;
  /** The maximum number of services and of agents, those with the most tickets first. */
  mostGroups: number;
}>;

type TicketGroupRow = TicketCounts & { kind: number; day: string | null; id: number; name: string };

/** `GROUPING(day, service_id, agent_id)` of each kind of row. */
const kinds = { day: 3, service: 5, agent: 6, total: 7 } as const;

export const noTickets: TicketCounts = {
  ...{ tickets: 0, states: {}, answered: 0, emails: 0, sms: 0 },
  ...{ calls: 0, callSeconds: 0, photos: 0, videos: 0 },
};

/**
 * The ids of the tickets created in the period, ascending. Deleted tickets are selected separately
 * by `deleted_at`, because the partial index of the others excludes them.
 */
export async function listTicketIds(
  db: Queryable,
  reachOf: TicketReach,
  { scope, period, timeZone, hasDeleted, limit, after = 0 }: TicketSelection,
): Promise<number[]> {
  const reach = reachOf(scope);
  const select = (condition: string): string =>
    `SELECT t.id FROM tickets t, bounds b
     WHERE t.enterprise_id = b.enterprise_id AND t.created_at >= b.since AND t.created_at < b.until
       AND t.id > b.after AND ${condition} AND ${reach.sql}`;
  const parts = [
    select("t.deleted_at IS NULL"),
    ...(hasDeleted ? [select("t.deleted_at IS NOT NULL AND t.deleted_at >= b.since")] : []),
  ];
  const rows = await rowsOf<{ id: number }>(
    db,
    `WITH bounds AS MATERIALIZED (
       SELECT CAST(? AS bigint) AS enterprise_id,
         ${startOfDaySql("d.first", "z.name")} AS since,
         ${startOfDaySql("d.after_last", "z.name")} AS until, d.after
       FROM (SELECT CAST(? AS date)::timestamp AS first, (CAST(? AS date) + 1)::timestamp AS after_last,
         CAST(? AS bigint) AS after) AS d, (SELECT CAST(? AS text) AS name) AS z
     )
     ${parts.join(" UNION ALL ")} ORDER BY id LIMIT ?`,
    [
      scope.enterpriseId,
      period.since,
      period.until,
      after,
      timeZone,
      ...parts.flatMap(() => reach.bindings),
      limit,
    ],
  );
  return rows.map(({ id }) => id);
}

/** Figures of these tickets by id. Reads each table once per batch. */
export async function readTicketFigures(
  db: Queryable,
  {
    enterpriseId,
    timeZone,
    ids,
  }: { enterpriseId: number; timeZone: string; ids: readonly number[] },
): Promise<TicketFigures[]> {
  return rowsOf<TicketFigures>(
    db,
    `WITH asked AS (SELECT CAST(? AS bigint) AS enterprise_id, CAST(? AS text) AS zone,
         CAST(? AS bigint[]) AS ids),
     page AS MATERIALIZED (
       SELECT t.* FROM tickets t, asked
       WHERE t.id = ANY(asked.ids) AND t.enterprise_id = asked.enterprise_id
     ),
     session_sums AS (
       SELECT p.id, min(s.started_at) AS started_at, max(s.finished_at) AS finished_at,
         count(s.met_at) AS calls, coalesce(sum(s.both_seconds), 0) AS seconds
       FROM page p JOIN sessions s ON s.conversation_id = p.conversation_id GROUP BY p.id
     ),
     sent AS (
       SELECT i.ticket_id AS id, count(*) FILTER (WHERE i.channel = 'email') AS emails,
         count(*) FILTER (WHERE i.channel = 'sms') AS sms
       FROM invitations i JOIN messages m ON m.id = i.message_id, asked
       WHERE i.ticket_id = ANY(asked.ids) AND m.status <> 'failed' GROUP BY 1
     ),
     files AS (
       SELECT m.ticket_id AS id, count(*) FILTER (WHERE m.mime_type LIKE 'image/%') AS photos,
         count(*) FILTER (WHERE m.mime_type LIKE 'video/%') AS videos
       FROM media m, asked
       WHERE m.ticket_id = ANY(asked.ids) AND m.deleted_at IS NULL AND m.state = 'completed'
       GROUP BY 1
     ),
     entries AS (
       SELECT e.ticket_id AS id, count(*) FILTER (WHERE e.event_type = 'media.OCRDone') AS scans,
         bool_or(e.event_type = 'session.established') AS established
       FROM session_events e, asked
       WHERE e.ticket_id = ANY(asked.ids)
         AND e.event_type IN ('media.OCRDone', 'session.established') GROUP BY 1
     )
     SELECT p.id, p.reference, p.description, p.priority, p.requestor_firstname AS firstname,
       p.requestor_lastname AS lastname, p.name, p.requestor_email AS email,
       p.requestor_phone AS phone, p.state, p.type, p.user_agent AS "userAgent",
       u.login AS "agentLogin", u.firstname AS "agentFirstname", u.lastname AS "agentLastname",
       g.name AS "groupName", v.name AS "serviceName",
       to_char(coalesce(session_sums.started_at, p.start_time) AT TIME ZONE asked.zone,
         'YYYY-MM-DD HH24:MI:SS') AS "startedAt",
       to_char(coalesce(session_sums.finished_at, p.end_time) AT TIME ZONE asked.zone,
         'YYYY-MM-DD HH24:MI:SS') AS "endedAt",
       coalesce(session_sums.calls, 0) AS calls, coalesce(session_sums.seconds, 0) AS "callSeconds",
       coalesce(sent.emails, 0) AS emails, coalesce(sent.sms, 0) AS sms,
       coalesce(files.photos, 0) AS photos, coalesce(files.videos, 0) AS videos,
       coalesce(entries.scans, 0) AS scans, coalesce(entries.established, false) AS "isEstablished"
     FROM page p CROSS JOIN asked
     JOIN services v ON v.id = p.service_id
     LEFT JOIN users u ON u.id = p.agent_id
     LEFT JOIN (
       SELECT m.user_id, min(m.group_id) AS group_id FROM group_members m, asked
       WHERE m.enterprise_id = asked.enterprise_id GROUP BY 1
     ) AS first ON first.user_id = p.agent_id
     LEFT JOIN groups g ON g.id = coalesce(p.group_id, first.group_id)
     LEFT JOIN session_sums ON session_sums.id = p.id LEFT JOIN sent ON sent.id = p.id
     LEFT JOIN files ON files.id = p.id LEFT JOIN entries ON entries.id = p.id
     ORDER BY p.id`,
    [enterpriseId, timeZone, ids],
  );
}

/** Aggregates the tickets of a period in one statement. */
export async function readTicketSummary(
  db: Queryable,
  reachOf: TicketReach,
  { scope, period, timeZone, mostGroups }: TicketSummaryQuery,
): Promise<TicketSummary> {
  const reach = reachOf(scope);
  const rows = await rowsOf<TicketGroupRow>(db, summarySql(reach.sql), [
    ...[scope.enterpriseId, period.since, period.until, timeZone],
    ...reach.bindings,
    mostGroups,
  ]);
  const of = (kind: number): TicketGroupRow[] => rows.filter((row) => row.kind === kind);
  const [total] = of(kinds.total);
  return {
    total: total === undefined ? noTickets : countsOf(total),
    days: new Map(of(kinds.day).map((row) => [row.day ?? "", countsOf(row)])),
    services: of(kinds.service).map(namedOf),
    agents: of(kinds.agent).map(namedOf),
  };
}

const stateCounts = ticketStates
  .map((state) => `'${state}', count(*) FILTER (WHERE p.state = '${state}')`)
  .join(", ");

function summarySql(reach: string): string {
  return `
  WITH bounds AS MATERIALIZED (
    SELECT CAST(? AS bigint) AS enterprise_id, z.name AS zone,
      ${startOfDaySql("d.first", "z.name")} AS since,
      ${startOfDaySql("d.after_last", "z.name")} AS until
    FROM (SELECT CAST(? AS date)::timestamp AS first, (CAST(? AS date) + 1)::timestamp AS after_last) AS d,
      (SELECT CAST(? AS text) AS name) AS z
  ),
  page AS MATERIALIZED (
    SELECT t.id, t.conversation_id, t.state, t.service_id, coalesce(t.agent_id, 0) AS agent_id,
      to_char(t.created_at AT TIME ZONE b.zone, 'YYYY-MM-DD') AS day
    FROM tickets t, bounds b
    WHERE t.enterprise_id = b.enterprise_id AND t.created_at >= b.since AND t.created_at < b.until
      AND t.deleted_at IS NULL AND ${reach}
  ),
  talks AS (
    SELECT p.id, count(s.met_at) AS calls, coalesce(sum(s.both_seconds), 0) AS seconds
    FROM page p JOIN sessions s ON s.conversation_id = p.conversation_id GROUP BY p.id
  ),
  sent AS (
    SELECT p.id, count(*) FILTER (WHERE i.channel = 'email') AS emails,
      count(*) FILTER (WHERE i.channel = 'sms') AS sms
    FROM page p JOIN invitations i ON i.ticket_id = p.id JOIN messages m ON m.id = i.message_id
    WHERE m.status <> 'failed' GROUP BY p.id
  ),
  files AS (
    SELECT p.id, count(*) FILTER (WHERE m.mime_type LIKE 'image/%') AS photos,
      count(*) FILTER (WHERE m.mime_type LIKE 'video/%') AS videos
    FROM page p JOIN media m ON m.ticket_id = p.id
    WHERE m.deleted_at IS NULL AND m.state = 'completed' GROUP BY p.id
  ),
  answered AS (
    SELECT DISTINCT p.id FROM page p JOIN session_events e ON e.ticket_id = p.id
    WHERE e.event_type = 'session.established'
  ),
  summed AS (
    SELECT GROUPING(p.day, p.service_id, p.agent_id) AS kind, p.day, p.service_id, p.agent_id,
      count(*) AS tickets, json_build_object(${stateCounts}) AS states,
      count(answered.id) AS answered,
      ${sumOf("sent.emails")} AS emails, ${sumOf("sent.sms")} AS sms,
      ${sumOf("talks.calls")} AS calls, ${sumOf("talks.seconds")} AS seconds,
      ${sumOf("files.photos")} AS photos, ${sumOf("files.videos")} AS videos
    FROM page p LEFT JOIN talks USING (id) LEFT JOIN sent USING (id) LEFT JOIN files USING (id)
      LEFT JOIN answered USING (id)
    GROUP BY GROUPING SETS ((p.day), (p.service_id), (p.agent_id), ())
  ),
  ranked AS (
    SELECT *, row_number() OVER (PARTITION BY kind ORDER BY tickets DESC, service_id, agent_id)
      AS place
    FROM summed
  )
  SELECT r.kind, r.day, coalesce(r.service_id, r.agent_id, 0) AS id,
    coalesce(v.name, nullif(trim(u.firstname || ' ' || u.lastname), ''), u.login, '') AS name,
    r.tickets, r.states, r.answered, r.emails, r.sms, r.calls, r.seconds AS "callSeconds",
    r.photos, r.videos
  FROM ranked r LEFT JOIN services v ON v.id = r.service_id LEFT JOIN users u ON u.id = r.agent_id
  WHERE r.kind IN (${kinds.day}, ${kinds.total}) OR r.place <= ?
  ORDER BY r.kind, r.day, r.place`;
}

function sumOf(column: string): string {
  return `CAST(coalesce(sum(${column}), 0) AS bigint)`;
}

function namedOf(row: TicketGroupRow): NamedGroup & TicketCounts {
  return {
    ...{ id: row.id, name: row.name },
    ...countsOf(row),
  };
}

function countsOf({ kind: _kind, day: _day, id: _id, name: _name, ...counts }: TicketGroupRow) {
  return {
    ...counts,
    states: Object.fromEntries(Object.entries(counts.states).filter(([, count]) => count > 0)),
  };
}
