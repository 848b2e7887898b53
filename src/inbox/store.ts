import { rowsOf, type Db } from "../platform/db/pool.ts";

/** Names and values in turn order, as they came over the wire. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

export type NewInboxRequest = {
  key: string;
  headers: HeaderList;
  body: string;
  /** Null where nobody could have signed it. */
  isVerified: boolean | null;
};

export type InboxRequest = NewInboxRequest & { id: number; received: Date };

/** What an inbox keeps: its newest requests. */
const keptPerInbox = 500;

/**
 * Stores requests in the order given, and forgets what is beyond the newest of each inbox. One
 * caller at a time: then ids become visible in their order, and a reader that asks for what is
 * above the highest id it knows misses nothing.
 */
export const insertRequests = async (
  db: Db,
  requests: readonly NewInboxRequest[],
): Promise<void> => {
  const rows = requests.map(({ key, headers, body, isVerified }, position) => ({
    position,
    inbox_key: key,
    headers,
    // Postgres text cannot hold NUL, and what arrives here is anybody's guess.
    body: body.replaceAll("\u0000", "\uFFFD"),
    is_verified: isVerified,
  }));
  await rowsOf(
    db,
    `INSERT INTO inbox_requests (inbox_key, received_at, headers, body, is_verified)
     SELECT inbox_key, clock_timestamp(), headers, body, is_verified
     FROM json_to_recordset(?::json) AS given (position integer, inbox_key text, headers json,
       body text, is_verified boolean)
     ORDER BY position`,
    [JSON.stringify(rows)],
  );
  await rowsOf(
    db,
    `DELETE FROM inbox_requests r
     USING unnest(?::text[]) AS given (inbox_key)
     WHERE r.inbox_key = given.inbox_key AND r.id <= (
       SELECT beyond.id FROM inbox_requests beyond WHERE beyond.inbox_key = given.inbox_key
       ORDER BY beyond.id DESC OFFSET ? LIMIT 1)`,
    [[...new Set(requests.map(({ key }) => key))], keptPerInbox],
  );
};

type InboxRow = {
  id: number;
  inbox_key: string;
  received_at: Date;
  headers: HeaderList;
  body: string;
  is_verified: boolean | null;
};

/** Requests between two ids, both excluded, newest first. */
export const listRequests = async (
  db: Db,
  key: string,
  { after, before, limit }: { after: number; before: number; limit: number },
): Promise<InboxRequest[]> => {
  const rows = await rowsOf<InboxRow>(
    db,
    `SELECT id, inbox_key, received_at, headers, body, is_verified FROM inbox_requests
     WHERE inbox_key = ? AND id > ? AND id < ? ORDER BY id DESC LIMIT ?`,
    [key, after, before, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    key: row.inbox_key,
    received: row.received_at,
    headers: row.headers,
    body: row.body,
    isVerified: row.is_verified,
  }));
};

export const countRequests = async (db: Db, key: string): Promise<number> => {
  const [row] = await rowsOf<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM inbox_requests WHERE inbox_key = ?",
    [key],
  );
  return row?.count ?? 0;
};
