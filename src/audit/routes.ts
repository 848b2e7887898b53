import { parseBound } from "../http/values.ts";
import type { AuditEntry } from "../contracts/audit.ts";
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
import type { Db } from "../platform/db/pool.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { auditActions, auditObjects, type StoredEntry, listEntries } from "./store.ts";

export type AuditRoutesDeps = Readonly<{
  db: Db;
  /** Throws where the caller may not see the enterprise: it was not found. */
  requireEnterprise: (caller: Caller, enterpriseId: number) => Promise<unknown>;
}>;

const change = {
  title: "AuditChange",
  type: "object",
  additionalProperties: false,
  properties: { from: {}, to: {} },
} as const;

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
