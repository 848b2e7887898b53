/** Statements about subscriptions that end in this platform's own inbox. */
import { rowsOf, type Queryable } from "../platform/db/pool.ts";

export type SubscriptionTarget = {
  id: number;
  enterpriseId: number;
  url: string | null;
  isDeleted: boolean;
  secretSealed: Buffer;
};

type TargetRow = {
  id: number;
  enterprise_id: number;
  url: string | null;
  is_deleted: boolean;
  secret_sealed: Buffer;
};

const targetSql = `
  SELECT id, enterprise_id, url, deleted_at IS NOT NULL AS is_deleted, secret_sealed
  FROM subscriptions`;

const inboxEnding = "right(split_part(url, ?, 1), ?) = ?";

/** The subscriptions, of whatever enterprise, with one of these URLs; a query does not count. */
export async function listInboxSubscriptions(
  db: Queryable,
  urls: readonly string[],
): Promise<SubscriptionTarget[]> {
  const rows = await rowsOf<TargetRow>(
    db,
    `${targetSql} WHERE deleted_at IS NULL AND split_part(url, ?, 1) = ANY(?::text[]) ORDER BY id`,
    ["?", urls],
  );
  return rows.map(toTarget);
}

/** The enterprise that first had a subscription with this key, wherever the inbox was served. */
export async function findKeyOwner(db: Queryable, key: string): Promise<number | undefined> {
  const [row] = await rowsOf<{ enterprise_id: number }>(
    db,
    `SELECT enterprise_id FROM subscription_revisions WHERE ${inboxEnding}
     ORDER BY revision LIMIT 1`,
    endingOf(key),
  );
  return row?.enterprise_id;
}

/** Whether a subscription of the enterprise that is not deleted has this key. */
export async function hasInboxKey(
  db: Queryable,
  enterpriseId: number,
  key: string,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM subscriptions WHERE deleted_at IS NULL AND enterprise_id = ? AND ${inboxEnding}`,
    [enterpriseId, ...endingOf(key)],
  );
  return rows.length > 0;
}

function endingOf(key: string): unknown[] {
  return ["?", `/inbox/${key}`.length, `/inbox/${key}`];
}

/** The URL of a subscription, deleted or not. */
export async function findUrl(db: Queryable, id: number): Promise<string | null> {
  const sql = "SELECT url FROM subscriptions WHERE id = ?";
  return (await rowsOf<{ url: string | null }>(db, sql, [id]))[0]?.url ?? null;
}

/** The first subscription that the enterprise ever had, deleted or not. */
export async function findFirstSubscription(
  db: Queryable,
  enterpriseId: number,
): Promise<SubscriptionTarget | undefined> {
  const sql = `${targetSql} WHERE enterprise_id = ? ORDER BY id LIMIT 1`;
  return (await rowsOf<TargetRow>(db, sql, [enterpriseId])).map(toTarget)[0];
}

function toTarget(row: TargetRow): SubscriptionTarget {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    url: row.url,
    isDeleted: row.is_deleted,
    secretSealed: row.secret_sealed,
  };
}
