import type { Language } from "../../contracts/languages.ts";
import { usedMediaBytesSql, usedSmsSql } from "../../contracts/quotas.ts";
import type { Caller } from "../../http/route.ts";
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import { orderSql, type SortedPage } from "../fields.ts";
import {
  allOf,
  likePattern,
  where,
  type SqlCondition,
  countWhere,
} from "../../platform/db/where.ts";
import { enterpriseChanged } from "../identities.ts";
import type { Enterprise, EnterpriseSettings } from "./model.ts";

/** The caller whose access to an enterprise is checked. */
export type EnterpriseViewer = Pick<Caller, "enterpriseId" | "role">;

type EnterpriseRow = {
  id: number;
  name: string;
  api_key: string;
  solution_enabled: boolean;
  time_zone: string;
  language: Language;
  managed_by: number | null;
  sip_phone_number: string;
  sms_sender: string;
  mail_provider: Enterprise["mail_provider"];
  sms_provider: Enterprise["sms_provider"];
  max_users: number | null;
  max_media_bytes: number | null;
  max_sms_per_day: number;
  payload_days: number | null;
  log_days: number | null;
  created_at: Date;
  modified_at: Date;
};

const columns = `e.id, e.name, e.api_key, e.solution_enabled, e.time_zone, e.language,
  e.managed_by, e.sip_phone_number, e.sms_sender, e.mail_provider, e.sms_provider, e.max_users,
  e.max_media_bytes, e.max_sms_per_day, e.payload_days, e.log_days, e.created_at, e.modified_at`;

export type QuotaUse = Readonly<{ users: number; mediaBytes: number; sms: number }>;

export type EnterpriseUsage = Readonly<{
  users: number;
  diskBytes: number;
  sms: number;
  sessions: number;
}>;

/** The enterprise, if the viewer may see it. */
export async function findEnterprise(
  db: Queryable,
  viewer: EnterpriseViewer,
  id: number,
): Promise<Enterprise | undefined> {
  const { sql, bindings } = visibleTo(viewer);
  const [row] = await rowsOf<EnterpriseRow>(
    db,
    `SELECT ${columns} FROM enterprises e WHERE e.id = ? AND ${sql}`,
    [id, ...bindings],
  );
  return row === undefined ? undefined : toEnterprise(row);
}

/** Like `findEnterprise`, with a row lock until the end of the transaction. */
export async function lockEnterprise(
  trx: Trx,
  viewer: EnterpriseViewer,
  id: number,
): Promise<Enterprise | undefined> {
  const { sql, bindings } = visibleTo(viewer);
  const [row] = await rowsOf<EnterpriseRow>(
    trx,
    `SELECT ${columns} FROM enterprises e WHERE e.id = ? AND ${sql} FOR NO KEY UPDATE`,
    [id, ...bindings],
  );
  return row === undefined ? undefined : toEnterprise(row);
}

/** One page of the enterprises that the viewer may see, and the total. */
export async function listEnterprises(
  db: Queryable,
  viewer: EnterpriseViewer,
  { search, ...page }: SortedPage & { search: string | undefined },
): Promise<{ total: number; enterprises: Enterprise[] }> {
  const { sql, bindings } = allOf([
    visibleTo(viewer),
    ...where("e.name ILIKE ?", likePattern(search)),
  ]);
  const rows = await rowsOf<EnterpriseRow>(
    db,
    `SELECT ${columns} FROM enterprises e WHERE ${sql} ${orderSql(page, "e")} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return {
    total: await countWhere(db, "enterprises e", { sql, bindings }),
    enterprises: rows.map(toEnterprise),
  };
}

/**
 * A superadmin sees every enterprise, an admin their own and those it manages, others their own.
 */
function visibleTo({ enterpriseId, role }: EnterpriseViewer): SqlCondition {
  switch (role) {
    case "superadmin":
      return { sql: "true", bindings: [] };
    case "admin":
      return { sql: "(e.id = ? OR e.managed_by = ?)", bindings: [enterpriseId, enterpriseId] };
    default:
      return { sql: "e.id = ?", bindings: [enterpriseId] };
  }
}

function toEnterprise({
  api_key: apiKey,
  created_at: created,
  modified_at: modified,
  ...settings
}: EnterpriseRow): Enterprise {
  return { ...settings, apiKey, created, modified };
}

/** Writes every setting of a locked enterprise. */
export async function updateEnterprise(
  trx: Trx,
  id: number,
  settings: EnterpriseSettings,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE enterprises SET name = ?, time_zone = ?, language = ?, sip_phone_number = ?,
       sms_sender = ?, mail_provider = ?, sms_provider = ?, solution_enabled = ?, managed_by = ?,
       max_users = ?, max_media_bytes = ?, max_sms_per_day = ?, payload_days = ?,
       log_days = ?, modified_at = now()
     WHERE id = ?`,
    [
      settings.name,
      settings.time_zone,
      settings.language,
      settings.sip_phone_number,
      settings.sms_sender,
      settings.mail_provider,
      settings.sms_provider,
      settings.solution_enabled,
      settings.managed_by,
      settings.max_users,
      settings.max_media_bytes,
      settings.max_sms_per_day,
      settings.payload_days,
      settings.log_days,
      id,
    ],
  );
  enterpriseChanged(trx, id);
}

/** What counts for the quotas now; of SMS, those since then. */
export async function readQuotaUse(
  db: Queryable,
  enterpriseId: number,
  since: Date,
): Promise<QuotaUse> {
  const [row] = await rowsOf<QuotaUse>(
    db,
    `SELECT (${activeUsersSql}) AS users, (${usedMediaBytesSql}) AS "mediaBytes",
       (${usedSmsSql}) AS sms`,
    [enterpriseId, enterpriseId, enterpriseId, since],
  );
  return row ?? { users: 0, mediaBytes: 0, sms: 0 };
}

const activeUsersSql = `SELECT count(*) FROM users
  WHERE enterprise_id = ? AND is_active AND deleted_at IS NULL`;

/**
 * Usage of an enterprise: current active users and stored bytes, and the SMS sent and sessions
 * started in the half-open period.
 */
export async function readUsage(
  db: Queryable,
  enterpriseId: number,
  { since, until }: { since: Date; until: Date },
): Promise<EnterpriseUsage> {
  const [row] = await rowsOf<{ users: number; disk: number; sms: number; sessions: number }>(
    db,
    `SELECT
       (${activeUsersSql}) AS users,
       (SELECT coalesce(sum(bytes), 0)::bigint FROM media
         WHERE enterprise_id = ? AND files_removed_at IS NULL AND deleted_at IS NULL) AS disk,
       (SELECT count(*) FROM messages WHERE enterprise_id = ? AND channel = 'sms'
         AND sent_at >= ? AND sent_at < ?) AS sms,
       (SELECT count(*) FROM sessions WHERE enterprise_id = ?
         AND started_at >= ? AND started_at < ?) AS sessions`,
    [enterpriseId, enterpriseId, enterpriseId, since, until, enterpriseId, since, until],
  );
  return {
    users: row?.users ?? 0,
    diskBytes: row?.disk ?? 0,
    sms: row?.sms ?? 0,
    sessions: row?.sessions ?? 0,
  };
}
