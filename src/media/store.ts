import type { Ordering } from "../http/schema.ts";
import type { MediaState } from "../contracts/events.ts";
import type { RoomRef } from "../contracts/rooms.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Geoloc } from "../contracts/session-events.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { Media, MediaOwner, ParentRef, SourceType } from "./model.ts";
import { mediaColumns, parentNotDeletedSql, reachSql, toMedia, type MediaRow } from "./rows.ts";
import { allOf, countWhere, where, type SqlCondition } from "../platform/db/where.ts";

export type NewMedia = Readonly<{
  enterpriseId: number;
  hash: string;
  parent: ParentRef;
  conversationId: number;
  sourceType: SourceType;
  title: string;
  description: string | null;
  filename: string;
  mimeType: string;
  geoloc: Geoloc | null;
  owner: MediaOwner;
  at: Date;
  /** The announced size, if known; counts against the quota from now on. */
  receivedBytes: number;
  /** For recordings: silence counts from the start. */
  lastChunkAt?: Date;
  /** Unique in the conversation, except for failed uploads: a repeated upload has the same. */
  clientKey?: string | undefined;
}>;

export type FoundMedia = { media: Media; isInReach: boolean };

export type MediaUpdate = Readonly<{
  at: Date;
  state?: MediaState;
  bytes?: number;
  receivedBytes?: number;
  mimeType?: string;
  error?: string;
  title?: string;
  description?: string | null;
  geoloc?: Geoloc | null;
  isDeleted?: true;
  /** For recordings: no more chunks are accepted. */
  isClosed?: true;
}>;

export type MediaFilter = Readonly<{
  parent?: ParentRef | undefined;
  states?: readonly MediaState[] | undefined;
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}>;

export type MediaPage = Readonly<{
  orderby: Ordering;
  order: "asc" | "desc";
  limit: number;
  offset: number;
}>;

const insertSql = `
  WITH m AS (
    INSERT INTO media (enterprise_id, hash, ticket_id, conference_id, conversation_id, session_id,
      source_type, title, description, filename, mime_type, lat, lng, owner_id, owner_name,
      created_at, modified_at, received_bytes, last_chunk_at, client_key)
    SELECT ?, ?, ?, ?, v.id, (SELECT s.id FROM sessions s
        WHERE s.enterprise_id = v.enterprise_id AND s.conversation_id = v.id AND s.ended_at IS NULL
        ORDER BY s.started_at DESC LIMIT 1),
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
    FROM conversations v WHERE v.enterprise_id = ? AND v.id = ?
    RETURNING *
  )
  SELECT ${mediaColumns} FROM m`;

/** Inserts a media without a file, for the running session, if there is one. */
export async function insertMedia(trx: Trx, media: NewMedia): Promise<Media> {
  const { enterpriseId, parent, geoloc, owner, at } = media;
  const [row] = await rowsOf<MediaRow>(trx, insertSql, [
    enterpriseId,
    media.hash,
    parent.name === "ticket" ? parent.id : null,
    parent.name === "conference" ? parent.id : null,
    media.sourceType,
    media.title,
    media.description,
    media.filename,
    media.mimeType,
    geoloc?.lat ?? null,
    geoloc?.lng ?? null,
    owner.userId,
    owner.name,
    at,
    at,
    media.receivedBytes,
    media.lastChunkAt ?? null,
    media.clientKey ?? null,
    enterpriseId,
    media.conversationId,
  ]);
  if (row === undefined) {
    throw new Error("The media was not inserted");
  }
  return toMedia(row);
}

/**
 * An earlier upload with this key, even if it was deleted; undefined if there is none or it failed.
 * Concurrent uploads with the key wait for the end of this transaction.
 */
export async function findUpload(
  trx: Trx,
  { conversationId, clientKey }: Readonly<{ conversationId: number; clientKey: string }>,
): Promise<Media | undefined> {
  await rowsOf(trx, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [
    `upload ${conversationId} ${clientKey}`,
  ]);
  const [row] = await rowsOf<MediaRow>(
    trx,
    `SELECT ${mediaColumns} FROM media m
     WHERE m.conversation_id = ? AND m.client_key = ? AND m.state <> 'error'`,
    [conversationId, clientKey],
  );
  return row && toMedia(row);
}

/**
 * A media that is not deleted, and whether it is in reach. Media of other enterprises are not
 * found.
 */
export async function findMedia(
  db: Queryable,
  scope: Scope,
  id: number,
): Promise<FoundMedia | undefined> {
  const reach = reachSql(scope);
  const [row] = await rowsOf<MediaRow & { is_in_reach: boolean | null }>(
    db,
    `SELECT ${mediaColumns}, ${reach.sql} AS is_in_reach FROM media m
      WHERE m.id = ? AND m.enterprise_id = ? AND m.deleted_at IS NULL AND ${parentNotDeletedSql}`,
    [...reach.bindings, id, scope.enterpriseId],
  );
  return row && { media: toMedia(row), isInReach: row.is_in_reach === true };
}

/** A file of a conversation, for people in its room. Recordings are for staff only. */
export async function findRoomMedia(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
  { id, isOfSession }: Readonly<{ id: number; isOfSession: boolean }>,
): Promise<Media | undefined> {
  const [row] = await rowsOf<MediaRow>(
    db,
    `SELECT ${mediaColumns} FROM media m
     WHERE m.enterprise_id = ? AND m.conversation_id = ? AND m.id = ? AND m.deleted_at IS NULL
       AND m.source_type NOT IN ('ticket_record', 'conf_record')
       AND (NOT ?::boolean OR EXISTS (SELECT FROM sessions s
         WHERE s.enterprise_id = m.enterprise_id AND s.conversation_id = m.conversation_id
           AND s.ended_at IS NULL AND s.started_at <= m.created_at))`,
    [enterpriseId, conversationId, id, isOfSession],
  );
  return row && toMedia(row);
}

/**
 * A media of any enterprise by the hash in its URL, even if deleted, for holders of a signed link.
 * Media of deleted tickets count as deleted.
 */
export async function findMediaByHash(db: Queryable, hash: string): Promise<Media | undefined> {
  const [row] = await rowsOf<MediaRow & { is_there: boolean }>(
    db,
    `SELECT ${mediaColumns}, ${parentNotDeletedSql} AS is_there FROM media m WHERE m.hash = ?`,
    [hash],
  );
  if (row === undefined) {
    return undefined;
  }
  const media = toMedia(row);
  return row.is_there ? media : { ...media, deletedAt: media.deletedAt ?? media.modifiedAt };
}

/** A media that is not deleted, locked until the end of the transaction. */
export async function lockMedia(
  trx: Trx,
  { enterpriseId, id }: Pick<Media, "enterpriseId" | "id">,
): Promise<Media | undefined> {
  const [row] = await rowsOf<MediaRow>(
    trx,
    `SELECT ${mediaColumns} FROM media m
      WHERE m.id = ? AND m.enterprise_id = ? AND m.deleted_at IS NULL FOR UPDATE OF m`,
    [id, enterpriseId],
  );
  return row && toMedia(row);
}

/** Updates a media that the caller has locked. Returns the updated media. */
export async function updateMedia(
  trx: Trx,
  { enterpriseId, id }: Pick<Media, "enterpriseId" | "id">,
  update: MediaUpdate,
): Promise<Media> {
  const rows: MediaRow[] = await trx("media as m")
    .where({ "m.id": id, "m.enterprise_id": enterpriseId })
    .update(columnsOf(update))
    .returning(trx.raw(mediaColumns));
  const [row] = rows;
  if (row === undefined) {
    throw new Error(`Media ${id} is gone under its lock`);
  }
  return toMedia(row);
}

/**
 * For a file that was stored while its media failed or was deleted, perhaps after the cleanup. Makes
 * the cleanup check it again.
 */
export async function reopenCleanup(
  db: Queryable,
  { enterpriseId, id }: Pick<Media, "enterpriseId" | "id">,
): Promise<void> {
  await rowsOf(
    db,
    `UPDATE media SET files_removed_at = NULL WHERE id = ? AND enterprise_id = ?
      AND (deleted_at IS NOT NULL OR state = 'error')`,
    [id, enterpriseId],
  );
}

function columnsOf(update: MediaUpdate): Record<string, unknown> {
  const { at, state, bytes, mimeType, error, title, description, geoloc } = update;
  const input = {
    modified_at: at,
    state,
    bytes,
    received_bytes: update.receivedBytes,
    mime_type: mimeType,
    error,
    title,
    description,
    ...(geoloc === undefined ? {} : { lat: geoloc?.lat ?? null, lng: geoloc?.lng ?? null }),
    ...(update.isDeleted ? { deleted_at: at } : {}),
    ...(update.isDeleted || update.isClosed ? { closed_at: at } : {}),
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

const sortColumn: Record<Ordering, string> = {
  date: "m.created_at",
  modified: "m.modified_at",
  start_time: "m.created_at",
  id: "m.id",
};

/** One page of matching media within reach; ties by id. */
export async function listMedia(
  db: Queryable,
  scope: Scope,
  filter: MediaFilter,
  page: MediaPage,
): Promise<Media[]> {
  const { sql, bindings } = matching(scope, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<MediaRow>(
    db,
    `SELECT ${mediaColumns} FROM media m WHERE ${sql}
      ORDER BY ${sortColumn[page.orderby]} ${direction}, m.id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return rows.map(toMedia);
}

/** Total number of matches. */
export function countMedia(db: Queryable, scope: Scope, filter: MediaFilter): Promise<number> {
  return countWhere(db, "media m", matching(scope, filter));
}

function matching(scope: Scope, filter: MediaFilter): SqlCondition {
  const { parent } = filter;
  return allOf([
    { sql: "m.enterprise_id = ? AND m.deleted_at IS NULL", bindings: [scope.enterpriseId] },
    // With a parent, access to that parent was checked already.
    ...(parent === undefined
      ? [{ sql: parentNotDeletedSql, bindings: [] }, reachSql(scope)]
      : where(`m.${parent.name}_id = ?`, parent.id)),
    ...where("m.state = ANY(?)", filter.states),
    ...where("m.created_at >= ?", filter.since),
    ...where("m.created_at < ?", filter.until),
  ]);
}
