import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { Settings, Subscription } from "./model.ts";

/** A subscription as the database holds it: its headers sealed. */
export type StoredSubscription = Omit<Subscription, "headers"> & { headersSealed: Buffer | null };

/** What a change writes. */
export type StoredSettings = Omit<Settings, "headers"> & {
  headersSealed: Buffer | null;
  disabledReason: string | null;
};

type SubscriptionRow = {
  id: number;
  enterprise_id: number;
  name: string;
  url: string | null;
  is_active: boolean;
  is_ordered: boolean;
  filters: string[];
  headers_sealed: Buffer | null;
  max_in_flight: number | null;
  disabled_reason: string | null;
  revision: number;
  created_at: Date;
  modified_at: Date;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failing_since: Date | null;
};

const selectSql = `
  SELECT s.id, s.enterprise_id, s.name, s.url, s.is_active, s.is_ordered, s.filters,
    s.headers_sealed, s.max_in_flight, s.disabled_reason, s.revision, s.created_at, s.modified_at,
    h.last_success_at, h.last_failure_at, h.failing_since
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  WHERE s.deleted_at IS NULL`;

const toStored = (row: SubscriptionRow): StoredSubscription => ({
  id: row.id,
  enterpriseId: row.enterprise_id,
  name: row.name,
  url: row.url,
  isActive: row.is_active,
  isOrdered: row.is_ordered,
  maxInFlight: row.max_in_flight,
  filters: row.filters,
  headersSealed: row.headers_sealed,
  disabledReason: row.disabled_reason,
  revision: row.revision,
  created: row.created_at,
  modified: row.modified_at,
  lastSuccess: row.last_success_at,
  lastFailure: row.last_failure_at,
  failingSince: row.failing_since,
});

/** The enterprise's subscriptions that are not deleted, in the order of their making. */
export const listSubscriptions = async (
  db: Queryable,
  enterpriseId: number,
): Promise<StoredSubscription[]> => {
  const sql = `${selectSql} AND s.enterprise_id = ? ORDER BY s.id`;
  return (await rowsOf<SubscriptionRow>(db, sql, [enterpriseId])).map(toStored);
};

/** One of the enterprise's own subscriptions that is not deleted. */
export const findSubscription = async (
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription | undefined> => {
  const sql = `${selectSql} AND s.enterprise_id = ? AND s.id = ?`;
  return (await rowsOf<SubscriptionRow>(db, sql, [enterpriseId, id])).map(toStored)[0];
};

/**
 * The same, locked until the transaction ends. Not `FOR UPDATE`: that would make the relay wait,
 * whose new deliveries refer to this row.
 */
export const lockSubscription = async (
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription | undefined> => {
  const sql = `${selectSql} AND s.enterprise_id = ? AND s.id = ? FOR NO KEY UPDATE OF s`;
  return (await rowsOf<SubscriptionRow>(trx, sql, [enterpriseId, id])).map(toStored)[0];
};

/** Exact while the caller holds the lock of the revision counter. */
export const countSubscriptions = async (trx: Trx, enterpriseId: number): Promise<number> => {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `SELECT count(*) AS count FROM subscriptions WHERE enterprise_id = ? AND deleted_at IS NULL`,
    [enterpriseId],
  );
  return row?.count ?? 0;
};

/** The id of the next subscription, needed before its row: what is sealed is bound to it. */
export const nextSubscriptionId = async (db: Queryable): Promise<number> => {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "SELECT nextval(pg_get_serial_sequence('subscriptions', 'id')) AS id",
  );
  return row?.id ?? 0;
};

export type NewSubscription = StoredSettings & {
  id: number;
  enterpriseId: number;
  secretSealed: Buffer;
};

/** Inserts a subscription with the health of one that nothing was sent to yet. */
export const insertSubscription = async (trx: Trx, created: NewSubscription): Promise<void> => {
  await rowsOf(
    trx,
    `WITH created AS (
       INSERT INTO subscriptions (id, enterprise_id, name, url, is_active, is_ordered, filters,
         headers_sealed, secret_sealed, max_in_flight)
       VALUES (?, ?, ?, ?, ?, ?, ?::text[], ?, ?, ?) RETURNING id
     )
     INSERT INTO subscription_health (subscription_id) SELECT id FROM created`,
    [
      created.id,
      created.enterpriseId,
      created.name,
      created.url,
      created.isActive,
      created.isOrdered,
      created.filters,
      created.headersSealed,
      created.secretSealed,
      created.maxInFlight,
    ],
  );
};

/** Writes the settings of a subscription that the caller has locked. */
export const updateSubscription = async (
  trx: Trx,
  id: number,
  settings: StoredSettings,
): Promise<void> => {
  await rowsOf(
    trx,
    `UPDATE subscriptions SET name = ?, url = ?, is_active = ?, is_ordered = ?,
       filters = ?::text[], headers_sealed = ?, max_in_flight = ?, disabled_reason = ?
     WHERE id = ?`,
    [
      settings.name,
      settings.url,
      settings.isActive,
      settings.isOrdered,
      settings.filters,
      settings.headersSealed,
      settings.maxInFlight,
      settings.disabledReason,
      id,
    ],
  );
};

/** Deletes softly: the ledger refers to the row. What it held of other people's keys is gone. */
export const deleteSubscription = async (trx: Trx, id: number): Promise<void> => {
  await rowsOf(
    trx,
    `UPDATE subscriptions SET is_active = false, headers_sealed = NULL,
       deleted_at = clock_timestamp()
     WHERE id = ?`,
    [id],
  );
};

/** Forgets what a receiver taught us: for one that is new, or was switched on again. */
export const resetHealth = async (trx: Trx, id: number): Promise<void> => {
  await rowsOf(
    trx,
    `UPDATE subscription_health SET window_size = DEFAULT, throttled_until = NULL,
       failing_since = NULL, warned_at = NULL
     WHERE subscription_id = ?`,
    [id],
  );
};

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

const toTarget = (row: TargetRow): SubscriptionTarget => ({
  id: row.id,
  enterpriseId: row.enterprise_id,
  url: row.url,
  isDeleted: row.is_deleted,
  secretSealed: row.secret_sealed,
});

const targetSql = `
  SELECT id, enterprise_id, url, deleted_at IS NOT NULL AS is_deleted, secret_sealed
  FROM subscriptions`;

/** The subscriptions, of whatever enterprise, with one of these URLs; a query does not count. */
export const listInboxSubscriptions = async (
  db: Queryable,
  urls: readonly string[],
): Promise<SubscriptionTarget[]> => {
  const rows = await rowsOf<TargetRow>(
    db,
    `${targetSql} WHERE deleted_at IS NULL AND split_part(url, ?, 1) = ANY(?::text[]) ORDER BY id`,
    ["?", urls],
  );
  return rows.map(toTarget);
};

const inboxEnding = "right(split_part(url, ?, 1), ?) = ?";
const endingOf = (key: string): unknown[] => ["?", `/inbox/${key}`.length, `/inbox/${key}`];

/** The enterprise that first had a subscription with this key, wherever the inbox was served. */
export const findKeyOwner = async (db: Queryable, key: string): Promise<number | undefined> => {
  const [row] = await rowsOf<{ enterprise_id: number }>(
    db,
    `SELECT enterprise_id FROM subscription_revisions WHERE ${inboxEnding}
     ORDER BY revision LIMIT 1`,
    endingOf(key),
  );
  return row?.enterprise_id;
};

/** Whether a subscription of the enterprise that is not deleted has this key. */
export const hasInboxKey = async (
  db: Queryable,
  enterpriseId: number,
  key: string,
): Promise<boolean> => {
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM subscriptions WHERE deleted_at IS NULL AND enterprise_id = ? AND ${inboxEnding}`,
    [enterpriseId, ...endingOf(key)],
  );
  return rows.length > 0;
};

/** The URL of a subscription, deleted or not. */
export const findUrl = async (db: Queryable, id: number): Promise<string | null> => {
  const sql = "SELECT url FROM subscriptions WHERE id = ?";
  return (await rowsOf<{ url: string | null }>(db, sql, [id]))[0]?.url ?? null;
};

/** The first subscription that the enterprise ever had, deleted or not. */
export const findFirstSubscription = async (
  db: Queryable,
  enterpriseId: number,
): Promise<SubscriptionTarget | undefined> => {
  const sql = `${targetSql} WHERE enterprise_id = ? ORDER BY id LIMIT 1`;
  return (await rowsOf<TargetRow>(db, sql, [enterpriseId])).map(toTarget)[0];
};
