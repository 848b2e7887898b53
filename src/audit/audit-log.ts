/** The audit log: append-only entries and their list. */
import { allOf, countWhere, where, type SqlCondition } from "../platform/db/where.ts";
import {
  auditActions,
  auditObjects,
  type AuditEntry,
  type AuditLog,
  type AuditChanges,
} from "../contracts/audit.ts";
import { rowsOf, type Queryable, type Trx, type Db } from "../platform/db/pool.ts";
import { parseBound } from "../http/values.ts";
import {
  exactObject,
  integer,
  listOf,
  nullableInteger,
  nullableText,
  text,
  timestamp,
  idParams,
  orderQuery,
  pageQuery,
  periodQuery,
  type OrderedPageQuery,
} from "../http/schema.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { ok, route, type Caller, type Route } from "../http/route.ts";
import { toTimestamp } from "../platform/timestamps.ts";

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

/** An entry as stored. */
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

export type AuditFilter = Readonly<{
  object: AuditEntry["object"] | undefined;
  userId: number | undefined;
  since: Date | undefined;
  /** Exclusive. */
  until: Date | undefined;
}>;

export type AuditRoutesDeps = Readonly<{
  db: Db;
  /** Throws 404 unless the caller may see the enterprise. */
  requireEnterprise: (caller: Caller, enterpriseId: number) => Promise<unknown>;
}>;

const change = {
  title: "AuditChange",
  type: "object",
  additionalProperties: false,
  properties: { from: {}, to: {} },
} as const;

export function createAudit(): AuditLog<Trx> {
  return { write: insertEntry };
}

/** Inserts an entry. Stores the `login` of that time: the user may be renamed or deleted later. */
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

type AuditQuery = OrderedPageQuery & {
  object?: AuditEntry["object"];
  userId?: number;
  since?: string;
  until?: string;
};

const entrySchema = exactObject("AuditEntry", {
  id: integer,
  userId: nullableInteger,
  login: text,
  action: { type: "string", enum: auditActions },
  object: { type: "string", enum: auditObjects },
  objectId: text,
  changes: { type: "object", additionalProperties: change },
  requestId: nullableText,
  created: timestamp,
});

export function createAuditRoutes({ db, requireEnterprise }: AuditRoutesDeps): Route[] {
  return [
    route<{ enterpriseId: number }, AuditQuery>({
      method: "GET",
      path: "/enterprises/{enterpriseId}/audit",
      operationId: "api.enterprises.audit",
      summary: "List the audit log of an enterprise",
      permission: "audit.read",
      family: "solution",
      limit: "api",
      params: idParams("enterpriseId"),
      query: {
        type: "object",
        properties: {
          object: { type: "string", enum: auditObjects },
          userId: { type: "integer", minimum: 1 },
          ...periodQuery,
          ...orderQuery,
          ...pageQuery,
        },
      },
      answer: { status: 200, schema: listOf("AuditEntryList", entrySchema) },
      handle: async ({ caller, params, query, url }) => {
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const filter = {
          object: query.object,
          userId: query.userId,
          since: parseBound("since", query.since),
          until: parseBound("until", query.until),
        };
        await requireEnterprise(caller, params.enterpriseId);
        const order = query.order ?? "desc";
        const found = await listEntries(db, params.enterpriseId, filter, { order, ...page });
        const body = { total: found.total, data: found.entries.map(presentEntry) };
        return ok(body, pageHeaders(url, page, found.total));
      },
    }),
  ];
}

/** One page of the enterprise's matching entries, ordered by time, and the total. */
async function listEntries(
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

function presentEntry(entry: StoredEntry) {
  return {
    id: entry.id,
    userId: entry.userId,
    login: entry.login,
    action: entry.action,
    object: entry.object,
    objectId: entry.objectId,
    changes: entry.changes,
    requestId: entry.requestId,
    created: toTimestamp(entry.created),
  };
}
