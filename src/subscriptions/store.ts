import type {
  HeaderPreset,
  SignatureScheme,
  SubscriptionMode,
} from "../contracts/subscriptions.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { SubscriptionSettings, SigningKeys, Subscription } from "./model.ts";

type InTheClear = "headers" | "oauth2" | "clientCertificate" | keyof SigningKeys;

/** What is encrypted with the platform's key. */
type Sealed = {
  headersSealed: Buffer | null;
  oauth2Sealed: Buffer | null;
  certificateSealed: Buffer | null;
  secretSealed: Buffer;
  keysSealed: Buffer | null;
};

/** A subscription as the database holds it. */
export type StoredSubscription = Omit<Subscription, InTheClear> & Sealed;

type SealedSigning = Pick<Sealed, "secretSealed" | "keysSealed">;

/** What a change writes. Secrets and keys only where they change. */
export type StoredSettings = Omit<SubscriptionSettings, InTheClear> &
  Omit<Sealed, keyof SealedSigning> &
  Partial<SealedSigning> & { disabledReason: string | null };

type SubscriptionRow = {
  id: number;
  enterprise_id: number;
  name: string;
  mode: SubscriptionMode;
  url: string | null;
  is_active: boolean;
  is_ordered: boolean;
  filters: string[];
  conditions: string | null;
  headers_sealed: Buffer | null;
  oauth2_sealed: Buffer | null;
  certificate_sealed: Buffer | null;
  secret_sealed: Buffer;
  keys_sealed: Buffer | null;
  signatures: SignatureScheme[];
  header_presets: HeaderPreset[];
  max_in_flight: number | null;
  max_per_second: number | null;
  retry_schedule: number[] | null;
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
  SELECT s.id, s.enterprise_id, s.name, s.mode, s.url, s.is_active, s.is_ordered, s.filters,
    s.conditions, s.headers_sealed, s.oauth2_sealed, s.certificate_sealed, s.secret_sealed,
    s.keys_sealed, s.signatures, s.header_presets, s.max_in_flight, s.max_per_second,
    s.retry_schedule, s.disabled_reason, s.revision, s.created_at, s.modified_at,
    h.last_success_at, h.last_failure_at, h.failing_since, h.window_size, h.failures_in_row,
    h.throttled_until, h.probe_at, h.warned_at, h.last_sequence, h.pulled_to, h.pulled_at,
    h.failure_status, h.failure
  FROM subscriptions s JOIN subscription_health h ON h.subscription_id = s.id
  WHERE s.deleted_at IS NULL`;

/** The enterprise's subscriptions that are not deleted, in the order of their making. */
export async function listSubscriptions(
  db: Queryable,
  enterpriseId: number,
): Promise<StoredSubscription[]> {
  const sql = `${selectSql} AND s.enterprise_id = ? ORDER BY s.id`;
  return (await rowsOf<SubscriptionRow>(db, sql, [enterpriseId])).map(toStored);
}

/** One of the enterprise's own subscriptions that is not deleted. */
export async function findSubscription(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription | undefined> {
  const sql = `${selectSql} AND s.enterprise_id = ? AND s.id = ?`;
  return (await rowsOf<SubscriptionRow>(db, sql, [enterpriseId, id])).map(toStored)[0];
}

/**
 * The same, locked until the transaction ends. Not `FOR UPDATE`: that would make the relay wait,
 * whose new deliveries refer to this row.
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
    name: row.name,
    mode: row.mode,
    url: row.url,
    isActive: row.is_active,
    isOrdered: row.is_ordered,
    maxInFlight: row.max_in_flight,
    maxPerSecond: row.max_per_second,
    retrySchedule: row.retry_schedule,
    filters: row.filters,
    conditions: row.conditions,
    signatures: row.signatures,
    headerPresets: row.header_presets,
    headersSealed: row.headers_sealed,
    oauth2Sealed: row.oauth2_sealed,
    certificateSealed: row.certificate_sealed,
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

/** The id of the next subscription, needed before its row: what is sealed is bound to it. */
export async function nextSubscriptionId(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    "SELECT nextval(pg_get_serial_sequence('subscriptions', 'id')) AS id",
  );
  return row?.id ?? 0;
}

type NewSubscription = StoredSettings & { id: number; enterpriseId: number };

/** Inserts a subscription with the health of one that nothing was sent to yet. */
export async function insertSubscription(trx: Trx, created: NewSubscription): Promise<void> {
  const { id, enterpriseId, mode } = created;
  const row = { id, enterprise_id: enterpriseId, mode, ...columnsOf(created) };
  const columns = Object.keys(row);
  await rowsOf(
    trx,
    `WITH created AS (
       INSERT INTO subscriptions (${columns.join(", ")})
       VALUES (${columns.map(() => "?").join(", ")}) RETURNING id
     )
     INSERT INTO subscription_health (subscription_id) SELECT id FROM created`,
    Object.values(row),
  );
}

/** Writes the settings of a subscription that the caller has locked. */
export async function updateSubscription(
  trx: Trx,
  id: number,
  settings: StoredSettings,
): Promise<void> {
  const row = columnsOf(settings);
  const assignments = Object.keys(row).map((column) => `${column} = ?`);
  await rowsOf(trx, `UPDATE subscriptions SET ${assignments.join(", ")} WHERE id = ?`, [
    ...Object.values(row),
    id,
  ]);
}

/** The columns that a change writes. The mode is not among them: it never changes. */
function columnsOf(settings: StoredSettings): Record<string, unknown> {
  return {
    name: settings.name,
    url: settings.url,
    is_active: settings.isActive,
    is_ordered: settings.isOrdered,
    filters: settings.filters,
    conditions: settings.conditions,
    headers_sealed: settings.headersSealed,
    oauth2_sealed: settings.oauth2Sealed,
    certificate_sealed: settings.certificateSealed,
    ...(settings.secretSealed === undefined ? {} : { secret_sealed: settings.secretSealed }),
    ...(settings.keysSealed === undefined ? {} : { keys_sealed: settings.keysSealed }),
    signatures: settings.signatures,
    header_presets: settings.headerPresets,
    max_in_flight: settings.maxInFlight,
    max_per_second: settings.maxPerSecond,
    retry_schedule: settings.retrySchedule,
    disabled_reason: settings.disabledReason,
  };
}

/** Deletes softly: the ledger refers to the row. What it held of other people's keys is gone. */
export async function deleteSubscription(trx: Trx, id: number): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE subscriptions SET is_active = false, headers_sealed = NULL, oauth2_sealed = NULL,
       certificate_sealed = NULL, deleted_at = clock_timestamp()
     WHERE id = ?`,
    [id],
  );
}

/** Forgets what a receiver taught us: for one that is new, or was switched on again. */
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
