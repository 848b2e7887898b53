import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { Media } from "./model.ts";
import { mediaColumns, toMedia, type MediaRow } from "./rows.ts";

export type Recording = Media &
  Readonly<{
    receivedBytes: number;
    /** Recorded time without pauses. */
    activeMs: number;
    lastChunkAt: Date;
    /** Null: still recording. */
    chunksTotal: number | null;
    /** Since when no more chunks are accepted. */
    closedAt: Date | null;
  }>;

type RecordingRow = MediaRow & {
  received_bytes: number;
  active_ms: number;
  last_chunk_at: Date;
  chunks_total: number | null;
  closed_at: Date | null;
};

type RecordingRef = Readonly<{ enterpriseId: number; id: number }>;

export type RecordingChunk = Readonly<{ number: number; bytes: number; sha256: string }>;

type RecordingChunkRow = { number: number; bytes: number; sha256: Buffer; stored_at: Date | null };

/** A recording that is not deleted. */
export function findRecording(db: Queryable, ref: RecordingRef): Promise<Recording | undefined> {
  return selectRecording(db, ref, "");
}

/** Like `findRecording`, and locks the row until the end of the transaction. */
export function lockRecording(trx: Trx, ref: RecordingRef): Promise<Recording | undefined> {
  return selectRecording(trx, ref, "FOR UPDATE OF m");
}

async function selectRecording(db: Queryable, ref: RecordingRef, lock: "" | "FOR UPDATE OF m") {
  const [row] = await rowsOf<RecordingRow>(
    db,
    `SELECT ${mediaColumns} FROM media m WHERE m.id = ? AND m.enterprise_id = ?
      AND m.source_type IN ('ticket_record', 'conf_record') AND m.deleted_at IS NULL ${lock}`,
    [ref.id, ref.enterpriseId],
  );
  return row && toRecording(row);
}

function toRecording(row: RecordingRow): Recording {
  return {
    ...toMedia(row),
    receivedBytes: row.received_bytes,
    activeMs: row.active_ms,
    lastChunkAt: row.last_chunk_at,
    chunksTotal: row.chunks_total,
    closedAt: row.closed_at,
  };
}

/** The chunk with this number, and whether its bytes are stored. */
export async function findChunk(
  db: Queryable,
  mediaId: number,
  number: number,
): Promise<(RecordingChunk & { isStored: boolean }) | undefined> {
  const [row] = await rowsOf<RecordingChunkRow>(
    db,
    "SELECT * FROM recording_chunks WHERE media_id = ? AND number = ?",
    [mediaId, number],
  );
  return row && { ...toChunk(row), isStored: row.stored_at !== null };
}

/** Every chunk whose upload was started, by number. */
export async function listStartedChunks(db: Queryable, mediaId: number): Promise<RecordingChunk[]> {
  const rows = await rowsOf<RecordingChunkRow>(
    db,
    "SELECT * FROM recording_chunks WHERE media_id = ? ORDER BY number",
    [mediaId],
  );
  return rows.map(toChunk);
}

/** Every chunk whose bytes are stored, by number. */
export async function listChunks(db: Queryable, mediaId: number): Promise<RecordingChunk[]> {
  const rows = await rowsOf<RecordingChunkRow>(
    db,
    `SELECT * FROM recording_chunks WHERE media_id = ? AND stored_at IS NOT NULL
      ORDER BY number`,
    [mediaId],
  );
  return rows.map(toChunk);
}

function toChunk({ number, bytes, sha256 }: RecordingChunkRow): RecordingChunk {
  return {
    number,
    bytes,
    sha256: sha256.toString("hex"),
  };
}

/** Marks the bytes as stored; false if the chunk is no longer wanted. */
export async function markChunkStored(
  db: Queryable,
  mediaId: number,
  { number, sha256 }: RecordingChunk,
  at: Date,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `UPDATE recording_chunks SET stored_at = ? WHERE media_id = ? AND number = ? AND sha256 = ?
      RETURNING number`,
    [at, mediaId, number, Buffer.from(sha256, "hex")],
  );
  return rows.length === 1;
}

/**
 * Inserts the chunk and adds it to the totals of the recording, whose row the caller has locked.
 */
export async function insertChunk(
  trx: Trx,
  mediaId: number,
  chunk: RecordingChunk,
  { at, activeMs }: { at: Date; activeMs: number },
): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO recording_chunks (media_id, number, bytes, sha256, created_at)
      VALUES (?, ?, ?, ?, ?)`,
    [mediaId, chunk.number, chunk.bytes, Buffer.from(chunk.sha256, "hex"), at],
  );
  await rowsOf(
    trx,
    `UPDATE media SET received_bytes = received_bytes + ?, active_ms = ?, last_chunk_at = ?
      WHERE id = ?`,
    [chunk.bytes, activeMs, at, mediaId],
  );
}

/** Sets the number of chunks. The recording then accepts no other chunks. */
export async function setChunksTotal(trx: Trx, mediaId: number, total: number): Promise<void> {
  await rowsOf(trx, "UPDATE media SET chunks_total = ? WHERE id = ?", [total, mediaId]);
}

/** The blob key of a chunk, which contains the hash: different bytes never replace each other. */
export function chunkKey(hash: string, { number, sha256 }: Omit<RecordingChunk, "bytes">): string {
  return `recordings/${hash}/${number}-${sha256.slice(0, 32)}`;
}
