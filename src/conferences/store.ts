import { conferenceReachSql } from "../access/reach.ts";
import type { Scope } from "../contracts/permissions.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { ConferenceStatus } from "../contracts/conferences.ts";
import type { Conference, ConferenceRef } from "./model.ts";
import { conferenceColumns, toConference, type ConferenceRow } from "./queries.ts";

/** Columns that a client may set and change. */
export type ConferenceFields = Pick<
  Conference,
  | "name"
  | "isModerated"
  | "isOpen"
  | "isLocked"
  | "language"
  | "message"
  | "passwordSealed"
  | "reminderMinutes"
  | "startTime"
  | "endTime"
> &
  Readonly<{ organizerId: number; moderatorId: number | null }>;

export type NewConference = ConferenceFields &
  Readonly<{
    enterpriseId: number;
    serviceId: number;
    conversationId: number;
    roomName: string;
    shortCode: string;
    createdBy: number;
    externalKey: string | null;
    at: Date;
  }>;

/** A conference of the enterprise, and whether the scope reaches it. */
export type FoundConference = { conference: Conference; isInReach: boolean };

export type ConferenceUpdate = Readonly<{
  status: ConferenceStatus;
  at: Date;
  fields?: ConferenceFields;
  endedAt?: Date;
}>;

/**
 * Inserts a conference unless an active one has the same dial-in code. Returns its id, or undefined
 * if the code is taken. Fails if an active conference has the same external key.
 */
export async function insertConference(
  trx: Trx,
  conference: NewConference,
  dtmfCode: string,
): Promise<number | undefined> {
  const columns = {
    ...conferenceFieldColumns(conference),
    enterprise_id: conference.enterpriseId,
    service_id: conference.serviceId,
    conversation_id: conference.conversationId,
    room_name: conference.roomName,
    short_code: conference.shortCode,
    sip_dtmf_code: dtmfCode,
    created_by: conference.createdBy,
    external_key: conference.externalKey,
    created_at: conference.at,
    modified_at: conference.at,
  };
  const names = Object.keys(columns);
  const [row] = await rowsOf<{ id: number }>(
    trx,
    `INSERT INTO conferences (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
     ON CONFLICT (sip_dtmf_code) WHERE status IN ('scheduled', 'ongoing') DO NOTHING
     RETURNING id`,
    Object.values(columns),
  );
  return row?.id;
}

/** Conferences of other enterprises are not found. */
export function findConference(
  db: Queryable,
  scope: Scope,
  id: number,
): Promise<FoundConference | undefined> {
  return selectOne(db, scope, id, "");
}

/** Like `findConference`, locked until the end of the transaction. */
export function lockConference(
  trx: Trx,
  scope: Scope,
  id: number,
): Promise<FoundConference | undefined> {
  return selectOne(trx, scope, id, "FOR UPDATE");
}

async function selectOne(
  db: Queryable,
  scope: Scope,
  id: number,
  lock: "" | "FOR UPDATE",
): Promise<FoundConference | undefined> {
  const reach = conferenceReachSql(scope);
  const [row] = await rowsOf<ConferenceRow & { is_in_reach: boolean | null }>(
    db,
    `SELECT ${conferenceColumns}, ${reach.sql} AS is_in_reach
      FROM conferences c WHERE c.id = ? AND c.enterprise_id = ? ${lock}`,
    [...reach.bindings, id, scope.enterpriseId],
  );
  return row && { conference: toConference(row), isInReach: row.is_in_reach === true };
}

/** By id, without an access check. */
export function findConferenceById(
  db: Queryable,
  { enterpriseId, id }: ConferenceRef,
): Promise<Conference | undefined> {
  return selectFirst(db, "c.enterprise_id = ? AND c.id = ?", [enterpriseId, id]);
}

/** Like `findConferenceById`, locked until the end of the transaction. */
export function lockConferenceById(
  trx: Trx,
  { enterpriseId, id }: ConferenceRef,
): Promise<Conference | undefined> {
  return selectFirst(trx, "c.enterprise_id = ? AND c.id = ? FOR UPDATE", [enterpriseId, id]);
}

/** The newest conference of an external appointment, locked. */
export function lockByExternalKey(
  trx: Trx,
  { enterpriseId, externalKey }: Readonly<{ enterpriseId: number; externalKey: string }>,
): Promise<Conference | undefined> {
  return selectFirst(
    trx,
    "c.enterprise_id = ? AND c.external_key = ? ORDER BY c.id DESC LIMIT 1 FOR UPDATE",
    [enterpriseId, externalKey],
  );
}

/** By service key and room name. Together they are the secret part of the room URL. */
export function findByRoom(
  db: Queryable,
  { serviceKey, roomName }: Readonly<{ serviceKey: string; roomName: string }>,
): Promise<Conference | undefined> {
  return selectFirst(
    db,
    `c.room_name = ? AND EXISTS (SELECT FROM services s
       WHERE s.id = c.service_id AND s.enterprise_id = c.enterprise_id AND s.service_key = ?)`,
    [roomName, serviceKey],
  );
}

/** By the code of its short link. */
export function findByCode(db: Queryable, shortCode: string): Promise<Conference | undefined> {
  return selectFirst(db, "c.short_code = ?", [shortCode]);
}

/** The enterprise's active conference with this dial-in code. */
export function findByDtmf(
  db: Queryable,
  enterpriseId: number,
  code: string,
): Promise<Conference | undefined> {
  return selectFirst(
    db,
    "c.enterprise_id = ? AND c.sip_dtmf_code = ? AND c.status IN ('scheduled', 'ongoing')",
    [enterpriseId, code],
  );
}

async function selectFirst(
  db: Queryable,
  where: string,
  bindings: readonly unknown[],
): Promise<Conference | undefined> {
  const [row] = await rowsOf<ConferenceRow>(
    db,
    `SELECT ${conferenceColumns} FROM conferences c WHERE ${where}`,
    bindings,
  );
  return row && toConference(row);
}

/**
 * Compare-and-swap on the status: the lock guarantees it, the statement checks it. Returns the
 * updated conference.
 */
export async function updateConference(
  trx: Trx,
  { id, enterpriseId, status }: Pick<Conference, "id" | "enterpriseId" | "status">,
  update: ConferenceUpdate,
): Promise<Conference> {
  const rows: ConferenceRow[] = await trx("conferences as c")
    .where({ "c.id": id, "c.enterprise_id": enterpriseId, "c.status": status })
    .update({
      ...(update.fields === undefined ? {} : conferenceFieldColumns(update.fields)),
      ...(update.endedAt === undefined ? {} : { ended_at: update.endedAt }),
      status: update.status,
      modified_at: update.at,
    })
    .returning(trx.raw(conferenceColumns));
  const row = rows[0];
  if (row === undefined) {
    throw new Error(`Conference ${id} changed under its lock`);
  }
  return toConference(row);
}

export async function isConferenceLocked(
  db: Queryable,
  { enterpriseId, id }: ConferenceRef,
): Promise<boolean> {
  const [row] = await rowsOf<{ is_locked: boolean }>(
    db,
    "SELECT is_locked FROM conferences WHERE enterprise_id = ? AND id = ?",
    [enterpriseId, id],
  );
  return row?.is_locked ?? false;
}

export async function updateLock(
  trx: Trx,
  { enterpriseId, id }: ConferenceRef,
  { isLocked, at }: Readonly<{ isLocked: boolean; at: Date }>,
): Promise<void> {
  await rowsOf(
    trx,
    "UPDATE conferences SET is_locked = ?, modified_at = ? WHERE enterprise_id = ? AND id = ?",
    [isLocked, at, enterpriseId, id],
  );
}

function conferenceFieldColumns(fields: ConferenceFields) {
  return {
    name: fields.name,
    organizer_id: fields.organizerId,
    moderator_id: fields.moderatorId,
    is_moderated: fields.isModerated,
    is_open: fields.isOpen,
    is_locked: fields.isLocked,
    language: fields.language,
    message: fields.message,
    password_sealed: fields.passwordSealed,
    reminder_minutes: fields.reminderMinutes,
    start_time: fields.startTime,
    end_time: fields.endTime,
  };
}

/** Marks the reminder for this start time as sent. */
export async function markReminded(
  trx: Trx,
  { id, enterpriseId, startTime }: Pick<Conference, "id" | "enterpriseId" | "startTime">,
): Promise<void> {
  await trx("conferences")
    .where({ id, enterprise_id: enterpriseId })
    .update({ reminded_for: startTime });
}
