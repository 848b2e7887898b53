import {
  eventSummaryMembers,
  exactObject,
  flag,
  integer,
  limitQuery,
  nullableEventIdMembers,
  nullableInteger,
  nullableText,
  oldNameOf,
  periodQuery,
  presentEventId,
  presentEventSummary,
  presentObjectId,
  text,
  timestamp,
  webhookParams,
  type WebhookParams,
} from "../../http/schema.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { parsePage } from "../../http/paging.ts";
import { ok, route, type JsonSchema, type Route } from "../../http/route.ts";
import { parsePeriod, type RequestedPeriod } from "../../http/values.ts";
import type { ReconcilePeriod, DeliveryGap } from "./reconcile.ts";
import type { Reconciliations, Manifest, Reconciliation } from "./service.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import type { ManifestRow } from "../../pipeline/ledger/queries/reconciliation.ts";

type ReconcileQuery = { since?: string; until?: string; cursor?: string };

const manifestRule = { defaultLimit: 1_000, maxLimit: 1_000 };

const reading = { permission: "webhooks.read", family: "platform", limit: "api" } as const;

const reconcileSchema: JsonSchema = {
  type: "object",
  properties: {
    ...periodQuery,
    cursor: {
      type: "string",
      maxLength: 60,
      pattern: "^[0-9]{1,14}-[0-9]{1,14}-[0-9]{1,15}$",
      rule: "a next_cursor that this list returned",
    },
  },
};

const manifestSchema: JsonSchema = {
  type: "object",
  properties: {
    from: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    to: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    ...limitQuery(manifestRule),
  },
};

type ManifestQuery = { from?: number; to?: number; limit?: number };

const reconcileAnswer = exactObject("Reconciliation", {
  since: timestamp,
  until: timestamp,
  kept_since: timestamp,
  clamped: flag,
  events: integer,
  expected: integer,
  found: integer,
  waiting: integer,
  undetermined: integer,
  unjudged: oldNameOf("undetermined", integer),
  gaps: listOfItems(
    exactObject("DeliveryGap", {
      webhook: integer,
      ...eventSummaryMembers,
      reason: { type: "string", enum: ["no_delivery", "dead_letter"] },
    }),
  ),
  next_cursor: nullableText,
});

const manifestAnswer = exactObject("Manifest", {
  from: integer,
  to: integer,
  last_sequence: integer,
  kept_from: nullableInteger,
  data: listOfItems(
    exactObject("ManifestEntry", {
      sequence: integer,
      ...nullableEventIdMembers,
      state: text,
      object: text,
      object_id: { type: ["integer", "string", "null"] },
      event: nullableText,
      time: timestamp,
      replay: flag,
    }),
  ),
  missing: listOfItems(exactObject("MissingSequences", { from: integer, to: integer })),
  next: nullableInteger,
});

/** Reconciliation: for the enterprise, and for a receiver that compares with its own table. */
export function reconciliationRoutes(reconciliations: Reconciliations): Route[] {
  return [
    route<unknown, ReconcileQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/reconcile",
      operationId: "reconcileWebhooks",
      summary: "Compare events with deliveries and list the gaps",
      query: reconcileSchema,
      answer: { status: 200, schema: reconcileAnswer },
      handle: async ({ caller, query }) =>
        ok(
          presentReconciliation(
            await reconciliations.reconcile(caller.enterpriseId, requestedPeriod(query)),
          ),
        ),
    }),
    route<WebhookParams, ManifestQuery>({
      ...reading,
      method: "GET",
      path: "/webhooks/{webhookId}/manifest",
      operationId: "getWebhookManifest",
      summary:
        "List the deliveries of a webhook by sequence, to compare with the receiver's records",
      params: webhookParams,
      query: manifestSchema,
      answer: { status: 200, schema: manifestAnswer },
      handle: async ({ caller, params, query }) => {
        const { from = 1, to } = query;
        const { limit } = parsePage(query, manifestRule);
        const page = { from, to, limit };
        return ok(
          presentManifest(
            await reconciliations.manifest(caller.enterpriseId, params.webhookId, page),
          ),
        );
      },
    }),
  ];
}

function presentReconciliation(proven: Reconciliation) {
  return {
    since: toTimestamp(proven.since),
    until: toTimestamp(proven.until),
    kept_since: toTimestamp(proven.keptSince),
    clamped: proven.isClamped,
    events: proven.events,
    expected: proven.expected,
    found: proven.found,
    waiting: proven.waiting,
    undetermined: proven.undetermined,
    unjudged: proven.undetermined,
    gaps: proven.gaps.map(presentGap),
    next_cursor:
      proven.next === null
        ? null
        : `${proven.since.getTime()}-${proven.until.getTime()}-${proven.next}`,
  };
}

function presentGap({ event, subscriptionId, reason }: DeliveryGap) {
  return {
    webhook: subscriptionId,
    ...presentEventSummary(event),
    reason,
  };
}

function requestedPeriod(query: ReconcileQuery): RequestedPeriod | ReconcilePeriod {
  return query.cursor === undefined ? parsePeriod(query) : parseCursor(query.cursor);
}

/** A cursor contains the period in milliseconds and the last id. */
const cursorForm = /^(?<since>\d{1,14})-(?<until>\d{1,14})-(?<after>\d{1,15})$/u;

function parseCursor(cursor: string): ReconcilePeriod {
  const { since, until, after } = cursorForm.exec(cursor)?.groups ?? {};
  if (since === undefined || until === undefined || after === undefined) {
    throw invalidParameter(
      "cursor",
      "format",
      "The cursor must be a next_cursor that this list returned.",
    );
  }
  return {
    since: new Date(Number(since)),
    until: new Date(Number(until)),
    afterId: Number(after),
  };
}

function presentManifest(manifest: Manifest) {
  return {
    from: manifest.from,
    to: manifest.to,
    last_sequence: manifest.lastSequence,
    kept_from: manifest.keptFrom,
    data: manifest.rows.map(presentEntry),
    missing: manifest.missing,
    next: manifest.next,
  };
}

function presentEntry(row: ManifestRow) {
  return {
    sequence: row.sequence,
    ...presentEventId(row.eventId),
    state: row.state,
    object: row.object,
    object_id: row.objectId === null ? null : presentObjectId(row.objectId),
    event: row.event,
    time: toTimestamp(row.at),
    replay: row.isReplay,
  };
}

function listOfItems(items: object) {
  return { type: "array", items };
}
