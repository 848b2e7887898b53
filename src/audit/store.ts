/** Entries are added and read, never changed. */
import { allOf, countWhere, where, type SqlCondition } from "../platform/db/where.ts";
import type { AuditEntry, AuditLog, AuditChanges } from "../contracts/audit.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

type EntryRow = {
  id: number;
  user_id: number | null;
  login: string;
  action: StoredEntry["action"];
  object: StoredEntry["object"];
  object_id: string;
  changes: StoredEntry["changes"];
  request_id: string | null;
  created_at: Date;
};

/** An entry as it is read. */
export type StoredEntry = Readonly<{
  id: number;
  userId: number | null;
  login: string;
  action: AuditEntry["action"];
  object: AuditEntry["object"];
  objectId: string;
  changes: AuditChanges;
  requestId: string | null;
  created: Date;
}>;

export const auditActions: readonly AuditEntry["action"][] = [
  "create",
  "update",
  "delete",
  "rotate",
  "revoke",
  "reset",
  "test",
];

export const auditObjects: readonly AuditEntry["object"][] = [
  "user",
  "enterprise",
  "service",
  "group",
  "domain",
  "button",
  "template",
  "survey",
  "webhook",
  "alert",
  "api_token",
];

export type AuditFilter = Readonly<{
  object: AuditEntry["object"] | undefined;
  userId: number | undefined;
  since: Date | undefined;
  /** Not included. */
  until: Date | undefined;
}>;

/** One page of the enterprise's entries that match, by time, and how many match in all. */
export async function listEntries(
  db: Queryable,
  enterpriseId: number,
  filter: AuditFilter,
  page: { order: "asc" | "desc"; limit: number; offset: number },
): Promise<{ total: number; entries: StoredEntry[] }> {
  const { sql, bindings } = matching(enterpriseId, filter);
  const direction = page.order === "asc" ? "ASC" : "DESC";
  const rows = await rowsOf<EntryRow>(
    db,
    `SELECT id, user_id, login, action, object, object_id, changes, request_id, created_at
     FROM audit_entries WHERE ${sql}
     ORDER BY created_at ${direction}, id ${direction} LIMIT ? OFFSET ?`,
    [...bindings, page.limit, page.offset],
  );
  return {
    total: await countWhere(db, "audit_entries", { sql, bindings }),
    entries: rows.map(toEntry),
  };
}

function matching(enterpriseId: number, filter: AuditFilter): SqlCondition {
  return allOf([
    ...where("enterprise_id = ?", enterpriseId),
    ...where("object = ?", filter.object),
    ...where("user_id = ?", filter.userId),
    ...where("created_at >= ?", filter.since),
    ...where("created_at < ?", filter.until),
  ]);
}

function toEntry(row: EntryRow): StoredEntry {
  return {
    id: row.id,
    userId: row.user_id,
    login: row.login,
    action: row.action,
    object: row.object,
    objectId: row.object_id,
    changes: row.changes,
    requestId: row.request_id,
    created: row.created_at,
  };
}

export function createAudit(): AuditLog<Trx> {
  return { write: insertEntry };
}

/** Adds an entry. `login` is kept as it was: the user may be renamed or deleted later. */
async function insertEntry(trx: Trx, entry: AuditEntry): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO audit_entries (enterprise_id, user_id, login, action, object, object_id, changes,
       request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      entry.enterpriseId,
      entry.userId,
      entry.login,
      entry.action,
      entry.object,
      String(entry.objectId),
      JSON.stringify(entry.changes),
      entry.requestId ?? null,
    ],
  );
}
