import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { SigningKeys, Subscription } from "./model.ts";
import { settings, type SettingColumns, type SubscriptionSettings } from "./settings/table.ts";

/** Encrypted with the platform's key. */
type SealedSigning = { secretSealed: Buffer; keysSealed: Buffer | null };

/** A subscription as the database holds it. */
export type StoredSubscription = Omit<
  Subscription,
  keyof SubscriptionSettings | keyof SigningKeys | "undecryptable"
> &
  SealedSigning & { settings: SettingColumns };

/** What a change writes. Secrets and keys only where they change. */
export type StoredChange = Partial<SealedSigning> & {
  settings: SettingColumns;
  disabledReason: string | null;
};

type SubscriptionRow = SettingColumns & {
  id: number;
  enterprise_id: number;
  secret_sealed: Buffer;
  keys_sealed: Buffer | null;
  disabled_reason: string | null;
  revision: number;
  created_at: Date;
  modified_at: Date;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  failing_since: Date | null;
  window_size: number;
  failures_in_row: number;
  throttled_until: Date | null;
  probe_at: Date | null;
  warned_at: Date | null;
  last_sequence: number;
  pulled_to: number;
  pulled_at: Date | null;
  failure_status: number | null;
  failure: string | null;
};

const selectSql = `
  SELECT s.id, s.enterprise_id, ${settings.map(({ column }) => `s.${column}`).join(", ")},
    s.secret_sealed, s.keys_sealed, s.disabled_reason, s.revision, s.created_at, s.modified_at,
    h.last_success_at, h.last_failure_at, h.failing_since, h.window_size, h.failures_in_row,
    h.throttled_until, h.probe_at, h.warned_at, h.last_sequence, h.pulled_to, h.pulled_at,
    h.failure_status, h.failure
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  WHERE s.deleted_at IS NULL`;

/** The enterprise's subscriptions that are not deleted, oldest first. */
export async function listSubscriptions(
  db: Queryable,
  enterpriseId: number,
): Promise<StoredSubscription[]> {
  const sql = `${selectSql} AND s.enterprise_id = ? ORDER BY s.id`;
  return (await rowsOf<SubscriptionRow>(db, sql, [enterpriseId])).map(toStored);
}

/** A subscription of the enterprise that is not deleted. */
export async function findSubscription(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription | undefined> {
  const sql = `${selectSql} AND s.enterprise_id = ? AND s.id = ?`;
  return (await rowsOf<SubscriptionRow>(db, sql, [enterpriseId, id])).map(toStored)[0];
}

/**
 * The same, locked until the transaction ends. Not `FOR UPDATE`, which would block the relay: its new
 * deliveries reference this row.
 */
export async function lockSubscription(
  trx: Trx,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription | undefined> {
  const sql = `${selectSql} AND s.enterprise_id = ? AND s.id = ? FOR NO KEY UPDATE OF s`;
  return (await rowsOf<SubscriptionRow>(trx, sql, [enterpriseId, id])).map(toStored)[0];
}

function toStored(row: SubscriptionRow): StoredSubscription {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    settings: row,
    secretSealed: row.secret_sealed,
    keysSealed: row.keys_sealed,
    disabledReason: row.disabled_reason,
    revision: row.revision,
    created: row.created_at,
    modified: row.modified_at,
    lastSuccess: row.last_success_at,
    lastFailure: row.last_failure_at,
    failingSince: row.failing_since,
    health: toHealth(row),
  };
}

function toHealth(row: SubscriptionRow): Subscription["health"] {
  return {
    windowSize: row.window_size,
    failuresInRow: row.failures_in_row,
    throttledUntil: row.throttled_until,
    probeAt: row.probe_at,
    warnedAt: row.warned_at,
    lastSequence: row.last_sequence,
    pulledTo: row.pulled_to,
    pulledAt: row.pulled_at,
    lastFailure: { status: row.failure_status, failure: row.failure },
  };
}

/** Exact while the caller holds the lock of the revision counter. */
export async function countSubscriptions(trx: Trx, enterpriseId: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    trx,
    `SELECT count(*) AS count FROM subscriptions WHERE enterprise_id = ? AND deleted_at IS NULL`,
    [enterpriseId],
  );
  return row?.count ?? 0;
}

/** The id is needed before the row, because sealed values are bound to it. */
export async function nextSubscriptionId(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "SELECT nextval(pg_get_serial_sequence('subscriptions', 'id')) AS id",
  );
  return row?.id ?? 0;
}

type NewSubscription = StoredChange & { id: number; enterpriseId: number };

/** Inserts a subscription with its initial health. */
export async function insertSubscription(trx: Trx, created: NewSubscription): Promise<void> {
  const { id, enterpriseId } = created;
  const row = { id, enterprise_id: enterpriseId, ...columnsOf(created, settings) };
  const columns = Object.keys(row);
  await rowsOf(
    trx,
    `WITH created AS (
       INSERT INTO subscriptions (${columns.join(", ")})
       VALUES (${columns.map(() => "?").join(", ")}) RETURNING id, enterprise_id
     )
     INSERT INTO subscription_health (subscription_id, enterprise_id)
     SELECT id, enterprise_id FROM created`,
    Object.values(row),
  );
}

/** Writes the settings of a subscription that the caller has locked. */
export async function updateSubscription(
  trx: Trx,
  id: number,
  change: StoredChange,
): Promise<void> {
  const changeable = settings.filter(({ isImmutable }) => isImmutable !== true);
  const row = columnsOf(change, changeable);
  const assignments = Object.keys(row).map((column) => `${column} = ?`);
  await rowsOf(trx, `UPDATE subscriptions SET ${assignments.join(", ")} WHERE id = ?`, [
    ...Object.values(row),
    id,
  ]);
}

/** The columns to write, with those of the settings in `written`. */
function columnsOf(change: StoredChange, written: typeof settings): Record<string, unknown> {
  return {
    ...Object.fromEntries(written.map(({ column }) => [column, change.settings[column]])),
    ...(change.secretSealed === undefined ? {} : { secret_sealed: change.secretSealed }),
    ...(change.keysSealed === undefined ? {} : { keys_sealed: change.keysSealed }),
    disabled_reason: change.disabledReason,
  };
}

/**
 * Deletes softly: the ledger refers to the row. Its secrets are removed. Empty bytes cannot be
 * decrypted, so no process sends an unsigned request.
 */
export async function deleteSubscription(trx: Trx, id: number): Promise<void> {
  const cleared = settings.filter(({ aad }) => aad !== undefined);
  await rowsOf(
    trx,
    `UPDATE subscriptions SET is_active = false, deleted_at = clock_timestamp(),
       secret_sealed = '', keys_sealed = NULL,
       ${cleared.map(({ column }) => `${column} = NULL`).join(", ")}
     WHERE id = ?`,
    [id],
  );
}

/** Resets the health of a receiver that is new or switched on again. */
export async function resetHealth(trx: Trx, id: number): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE subscription_health SET window_size = DEFAULT, throttled_until = NULL,
       failing_since = NULL, warned_at = NULL, failures_in_row = 0, probe_at = NULL,
       rate_tokens = NULL, rate_at = NULL, failure_status = NULL, failure = NULL
     WHERE subscription_id = ?`,
    [id],
  );
}
