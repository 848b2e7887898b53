/** Call messages for pages of other processes: rows with a retention of two minutes. */
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import type { TailQuery } from "../colleague-store.ts";

/** Recipients: one page, or all except the sender. */
export type Recipients = Readonly<{ peer: string } | { except: string | null }>;

export type StoredSignal = Readonly<{
  id: number;
  enterpriseId: number;
  conversationId: number;
  /** Id of the sending process. */
  origin: string;
  to: Recipients;
  type: string;
  payload: object;
}>;

/** Out: the new id. */
export async function insertSignal(
  db: Queryable,
  signal: Omit<StoredSignal, "id">,
  at: Date,
): Promise<number> {
  const { to } = signal;
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO room_signals (enterprise_id, conversation_id, origin, to_peer, from_peer, type,
       payload, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?::jsonb, ?) RETURNING id`,
    [
      signal.enterpriseId,
      signal.conversationId,
      signal.origin,
      "peer" in to ? to.peer : null,
      "except" in to ? to.except : null,
      signal.type,
      JSON.stringify(signal.payload),
      at,
    ],
  );
  if (row === undefined) {
    throw new Error("The signal was not inserted");
  }
  return row.id;
}

/** Messages of other processes for these enterprises: by ids, or after a cursor. */
export async function tailSignals(
  db: Queryable,
  query: TailQuery,
  { exceptOrigin }: Readonly<{ exceptOrigin: string }>,
): Promise<StoredSignal[]> {
  const rows = await rowsOf<{
    id: number;
    enterprise_id: number;
    conversation_id: number;
    origin: string;
    to_peer: string | null;
    from_peer: string | null;
    type: string;
    payload: object;
  }>(
    db,
    `SELECT id, enterprise_id, conversation_id, origin, to_peer, from_peer, type, payload
     FROM room_signals WHERE enterprise_id = ANY(?::bigint[]) AND origin <> ?
       AND ${"ids" in query ? "id = ANY(?::bigint[])" : "id > ?"} ORDER BY id LIMIT 1000`,
    [[...query.enterpriseIds], exceptOrigin, "ids" in query ? [...query.ids] : query.after],
  );
  return rows.map((row) => ({
    id: row.id,
    enterpriseId: row.enterprise_id,
    conversationId: row.conversation_id,
    origin: row.origin,
    to: row.to_peer === null ? { except: row.from_peer } : { peer: row.to_peer },
    type: row.type,
    payload: row.payload,
  }));
}

/** The tail's initial cursor. */
export async function lastSignalId(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ id: number | null }>(db, "SELECT max(id) AS id FROM room_signals");
  return row?.id ?? 0;
}

/** Deletes messages older than the look-back of every tail. */
export async function deleteOldSignals(db: Queryable, before: Date): Promise<void> {
  await rowsOf(db, "DELETE FROM room_signals WHERE created_at < ?", [before]);
}
