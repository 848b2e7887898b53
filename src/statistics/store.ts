import type { Scope } from "../contracts/permissions.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import type { DayPeriod } from "./period.ts";
import type { TicketFigures } from "./row.ts";

export type TicketSelection = Readonly<{
  scope: Scope;
  period: DayPeriod;
  timeZone: string;
  hasDeleted: boolean;
  /** At most so many. */
  limit: number;
  /** Those that come after this id; all of them where it is not given. */
  after?: number | undefined;
}>;

/**
 * The part of a WHERE clause over `tickets t` that leaves what a scope reaches: the list of tickets
 * and their statistics show the same ones.
 */
export type TicketReach = (scope: Scope) => { sql: string; bindings: readonly unknown[] };

/**
 * The ids of the tickets that were created in the period, in order. Those that were deleted are
 * looked up apart, by when they were: the index of the others does not hold them.
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
         CAST(CAST(? AS date) AS timestamp) AT TIME ZONE z.name AS since,
         (CAST(? AS date) + 1)::timestamp AT TIME ZONE z.name AS until,
         CAST(? AS bigint) AS after
       FROM (SELECT CAST(? AS text) AS name) AS z
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

/** The figures of these tickets, by id: each table is read once for all of them. */
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
     stay AS (
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
     told AS (
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
       to_char(coalesce(stay.started_at, p.start_time) AT TIME ZONE asked.zone,
         'YYYY-MM-DD HH24:MI:SS') AS "startedAt",
       to_char(coalesce(stay.finished_at, p.end_time) AT TIME ZONE asked.zone,
         'YYYY-MM-DD HH24:MI:SS') AS "endedAt",
       coalesce(stay.calls, 0) AS calls, coalesce(stay.seconds, 0) AS "callSeconds",
       coalesce(sent.emails, 0) AS emails, coalesce(sent.sms, 0) AS sms,
       coalesce(files.photos, 0) AS photos, coalesce(files.videos, 0) AS videos,
       coalesce(told.scans, 0) AS scans, coalesce(told.established, false) AS "isEstablished"
     FROM page p CROSS JOIN asked
     JOIN services v ON v.id = p.service_id
     LEFT JOIN users u ON u.id = p.agent_id
     LEFT JOIN (
       SELECT m.user_id, min(m.group_id) AS group_id FROM group_members m, asked
       WHERE m.enterprise_id = asked.enterprise_id GROUP BY 1
     ) AS first ON first.user_id = p.agent_id
     LEFT JOIN groups g ON g.id = coalesce(p.group_id, first.group_id)
     LEFT JOIN stay ON stay.id = p.id LEFT JOIN sent ON sent.id = p.id
     LEFT JOIN files ON files.id = p.id LEFT JOIN told ON told.id = p.id
     ORDER BY p.id`,
    [enterpriseId, timeZone, ids],
  );
}
