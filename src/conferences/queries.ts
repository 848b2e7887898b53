/** Reads conferences: columns, row mapping and the filtered list. Rows do not leave the stores. */
import {
  orderings,
  orderQuery,
  pageQuery,
  periodQuery,
  wordList,
  type BodyOf,
  type Ordering,
} from "../http/schema.ts";
import type { JsonSchema } from "../http/route.ts";
import type { Conference, ConferenceUser } from "./model.ts";
import { conferenceStatuses, type ConferenceStatus } from "../contracts/conferences.ts";
import { conferenceReachSql } from "../access/reach.ts";
import type { Scope } from "../contracts/permissions.ts";
import { allOf, countWhere, where, type SqlCondition, likePattern } from "../platform/db/where.ts";
import { rowsOf, type Queryable } from "../platform/db/pool.ts";
import { parseBound, splitCommaList } from "../http/values.ts";

export const listConferencesSchema = {
  type: "object",
  properties: {
    ...pageQuery,
    orderby: { type: "string", enum: orderings },
    ...orderQuery,
    since: periodQuery.since,
    search: { type: "string", maxLength: 255 },
    status: wordList(conferenceStatuses),
  },
} as const satisfies JsonSchema;

export type ListConferencesQuery = BodyOf<typeof listConferencesSchema>;

export type ConferenceRow = {
  id: number;
  enterprise_id: number;
  service_id: number;
  service_key: string;
  conversation_id: number;
  name: string;
  status: ConferenceStatus;
  room_name: string;
  short_code: string;
  sip_phone_number: string;
  sip_dtmf_code: string;
  organizer: ConferenceUser;
  creator: ConferenceUser;
  moderator: ConferenceUser;
  is_moderated: boolean;
  is_open: boolean;
  is_locked: boolean;
  language: string | null;
  message: string | null;
  password_sealed: Buffer | null;
  reminder_minutes: number | null;
  reminded_for: Date | null;
  start_time: Date;
  end_time: Date;
  created_at: Date;
  modified_at: Date;
};

// Sub-selects instead of joins: when Postgres re-evaluates a row after a lock wait, an outer join
// whose key has changed would return NULL.
export const conferenceColumns = `c.id, c.enterprise_id, c.service_id, c.conversation_id, c.name,
  c.status, c.room_name, c.short_code, c.sip_dtmf_code, c.is_moderated, c.is_open, c.is_locked,
  c.language, c.message, c.password_sealed, c.reminder_minutes, c.reminded_for, c.start_time,
  c.end_time, c.created_at, c.modified_at,
  (SELECT s.service_key FROM services s WHERE s.id = c.service_id) AS service_key,
  (SELECT e.sip_phone_number FROM enterprises e WHERE e.id = c.enterprise_id) AS sip_phone_number,
  ${party("c.organizer_id", "organizer")},
  ${party("c.created_by", "creator")},
  ${party("coalesce(c.moderator_id, c.organizer_id)", "moderator")}`;

/** Filter of the list. */
export type ConferenceFilter = Readonly<{
  since: Date | undefined;
  search: string | undefined;
  statuses: readonly ConferenceStatus[] | undefined;
}>;

export type ConferenceSort = Readonly<{ orderby: Ordering; order: "asc" | "desc" }>;

const sortColumn: Record<ConferenceSort["orderby"], string> = {
  date: "c.created_at",
  modified: "c.modified_at",
  start_time: "c.start_time",
  id: "c.id",
};

/** One page of matching conferences within reach; ties by id. */
export async function listConferences(
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
  page: ConferenceSort & { limit: number; offset: number },
): Promise<Conference[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<ConferenceRow>(
    db,
    `SELECT ${conferenceColumns} FROM conferences c WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, c.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toConference);
}

export function toConference(row: ConferenceRow): Conference {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    serviceId: row.service_id,
    serviceKey: row.service_key,
    conversationId: row.conversation_id,
    name: row.name,
    status: row.status,
    roomName: row.room_name,
    shortCode: row.short_code,
    sipPhoneNumber: row.sip_phone_number,
    sipDtmfCode: row.sip_dtmf_code,
    organizer: row.organizer,
    createdBy: row.creator,
    moderator: row.moderator,
    isModerated: row.is_moderated,
    isOpen: row.is_open,
    isLocked: row.is_locked,
    language: row.language,
    message: row.message,
    passwordSealed: row.password_sealed,
    reminderMinutes: row.reminder_minutes,
    remindedFor: row.reminded_for,
    startTime: row.start_time,
    endTime: row.end_time,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

/** Total number of matches. */
export function countConferences(
  db: Queryable,
  scope: Scope,
  filter: ConferenceFilter,
): Promise<number> {
  return countWhere(db, "conferences c", matching(scope, filter));
}

function matching(scope: Scope, { since, search, statuses }: ConferenceFilter): SqlCondition {
  const base = allOf([
    { sql: "c.enterprise_id = ?", bindings: [scope.enterpriseId] },
    conferenceReachSql(scope),
    ...where("c.created_at >= ?", since),
    ...where("c.status = ANY(?)", statuses),
  ]);
  return search === undefined ? base : searchCondition(base, search);
}

/** No index supports substrings: a text search scans this many of the newest conferences. */
const maxSearchedConferences = 50_000;

function searchCondition(base: SqlCondition, search: string): SqlCondition {
  return {
    sql: `c.id IN (
    SELECT c.id FROM (
      SELECT * FROM conferences c WHERE ${base.sql}
      ORDER BY c.created_at DESC, c.id DESC LIMIT ?
    ) AS c WHERE c.name ILIKE ? OR c.id::text LIKE ? OR c.room_name ILIKE ?)`,
    bindings: [
      ...base.bindings,
      maxSearchedConferences,
      ...[likePattern(search), likePattern(search), likePattern(search)],
    ],
  };
}

export function parseConferenceFilter(query: ListConferencesQuery): ConferenceFilter {
  return {
    since: parseBound("since", query.since),
    search: query.search?.trim() === "" ? undefined : query.search,
    statuses: parseStatuses(query.status),
  };
}

/** Validated by the schema. */
function parseStatuses(text: string | undefined): readonly ConferenceStatus[] | undefined {
  const words = splitCommaList(text ?? "");
  return words.length === 0 ? undefined : (words as ConferenceStatus[]);
}

export function parseConferenceSort(query: ListConferencesQuery): ConferenceSort {
  return {
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}

function party(userId: string, name: string): string {
  return `
  (SELECT json_build_object('id', u.id, 'name',
      coalesce(nullif(trim(u.firstname || ' ' || u.lastname), ''), u.login))
    FROM users u WHERE u.id = ${userId}) AS ${name}`;
}
