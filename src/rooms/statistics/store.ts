import type { SubjectRef, ParticipantRole } from "../../contracts/rooms.ts";
import type { Scope } from "../../contracts/permissions.ts";
import { roomReachSql } from "../../access/reach.ts";
import { countWhere, type SqlCondition } from "../../platform/db/where.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import type { EndedParticipation } from "../model.ts";
import {
  type QualityColumns,
  type QualityTimes,
  type SessionPeriod,
  toQualityTimes,
} from "./schema.ts";

type NamedEntity = Readonly<{ id: number; name: string }>;

/** An ended session with its organizer, enterprise and service. */
export type SessionStatistic = Readonly<{
  id: string;
  kind: SubjectRef["kind"];
  startedAt: Date;
  finishedAt: Date;
  billingSeconds: number;
  participantCount: number;
  /** For tickets the agent; id 0 if there is none. */
  organizer: NamedEntity;
  enterprise: NamedEntity;
  service: Readonly<{ id: number; key: string; name: string }>;
}>;

export type SessionFilter = SessionPeriod &
  Readonly<{
    kind: SubjectRef["kind"];
    serviceKey: string | undefined;
    /** Upper bound of the end time, inclusive. */
    endedBy: Date;
  }>;

export type SessionPage = Readonly<{
  orderby: "date" | "start_time";
  order: "asc" | "desc";
  limit: number;
  offset: number;
}>;

type StatisticRow = {
  id: string;
  kind: SubjectRef["kind"];
  started_at: Date;
  finished_at: Date;
  billing_seconds: number;
  participant_count: number;
  organizer_id: number | null;
  organizer_name: string | null;
  enterprise_id: number;
  enterprise_name: string;
  service_id: number;
  service_key: string;
  service_name: string;
};

const columns = `s.id, CASE WHEN c.id IS NULL THEN 'ticket' ELSE 'conference' END AS kind,
  s.started_at, s.finished_at, s.billing_seconds, s.participant_count,
  u.id AS organizer_id,
  coalesce(nullif(trim(u.firstname || ' ' || u.lastname), ''), u.login) AS organizer_name,
  e.id AS enterprise_id, e.name AS enterprise_name,
  v.id AS service_id, v.service_key, v.name AS service_name`;

const source = `sessions s
  LEFT JOIN conferences c ON c.conversation_id = s.conversation_id
  LEFT JOIN tickets t ON t.conversation_id = s.conversation_id AND t.deleted_at IS NULL
  JOIN services v ON v.id = coalesce(c.service_id, t.service_id)
  JOIN enterprises e ON e.id = s.enterprise_id
  LEFT JOIN users u ON u.id = coalesce(c.organizer_id, t.agent_id)`;

export type NamedParticipation = EndedParticipation &
  Readonly<{ userId: number | null; name: string; quality: QualityTimes }>;

const sortColumn = { date: "s.finished_at", start_time: "s.started_at" } as const;

/** One page of sessions that ended in the period; the id breaks ties. */
export async function listStatistics(
  db: Queryable,
  scope: Scope,
  filter: SessionFilter,
  page: SessionPage,
): Promise<SessionStatistic[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<StatisticRow>(
    db,
    `SELECT ${columns} FROM ${source} WHERE ${sql}
     ORDER BY ${sortColumn[page.orderby]} ${direction}, s.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toStatistic);
}

export function countStatistics(
  db: Queryable,
  scope: Scope,
  filter: SessionFilter,
): Promise<number> {
  return countWhere(db, source, matching(scope, filter));
}

function matching(scope: Scope, filter: SessionFilter): SqlCondition {
  const reach = roomReachSql(scope);
  const isOfKind = filter.kind === "ticket" ? "t.id IS NOT NULL" : "c.id IS NOT NULL";
  const service = filter.serviceKey === undefined ? "" : "AND v.service_key = ?";
  return {
    sql: `s.enterprise_id = ? AND s.finished_at >= ? AND s.finished_at < ? AND s.finished_at <= ?
      AND ${isOfKind} ${service} AND ${reach.sql}`,
    bindings: [
      scope.enterpriseId,
      filter.since,
      filter.until,
      filter.endedBy,
      ...(filter.serviceKey === undefined ? [] : [filter.serviceKey]),
      ...reach.bindings,
    ],
  };
}

/** A session of the enterprise that ended by `endedBy`, and whether it is in scope. */
export async function findStatistic(
  db: Queryable,
  scope: Scope,
  { id, endedBy }: Readonly<{ id: string; endedBy: Date }>,
): Promise<{ statistic: SessionStatistic; isInReach: boolean } | undefined> {
  const reach = roomReachSql(scope);
  const [row] = await rowsOf<StatisticRow & { is_in_reach: boolean }>(
    db,
    `SELECT ${columns}, ${reach.sql} AS is_in_reach FROM ${source}
     WHERE s.id = ? AND s.enterprise_id = ? AND s.finished_at <= ?`,
    [...reach.bindings, id, scope.enterpriseId, endedBy],
  );
  return row && { statistic: toStatistic(row), isInReach: row.is_in_reach };
}

function toStatistic(row: StatisticRow): SessionStatistic {
  return {
    id: row.id,
    kind: row.kind,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    billingSeconds: row.billing_seconds,
    participantCount: row.participant_count,
    organizer: { id: row.organizer_id ?? 0, name: row.organizer_name ?? "" },
    enterprise: { id: row.enterprise_id, name: row.enterprise_name },
    service: { id: row.service_id, key: row.service_key, name: row.service_name },
  };
}

/** Participations of an ended session, by join time. */
export async function listParticipations(
  db: Queryable,
  enterpriseId: number,
  sessionId: string,
): Promise<NamedParticipation[]> {
  const rows = await rowsOf<
    {
      participant: string;
      role: ParticipantRole;
      user_id: number | null;
      name: string;
      joined_at: Date;
      left_at: Date;
    } & QualityColumns
  >(
    db,
    `SELECT participant, role, user_id, name, joined_at, left_at, good_ms, fair_ms, poor_ms FROM participations
     WHERE enterprise_id = ? AND session_id = ? AND left_at IS NOT NULL
     ORDER BY joined_at, id`,
    [enterpriseId, sessionId],
  );
  return rows.map((row) => ({
    participant: row.participant,
    role: row.role,
    userId: row.user_id,
    name: row.name,
    joinedAt: row.joined_at,
    leftAt: row.left_at,
    quality: toQualityTimes(row),
  }));
}
