/** Parses the query parameters of the log. Pure. */
import {
  attemptResults,
  deliveryStates,
  type AttemptResult,
  type DeliveryState,
} from "../../contracts/deliveries.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { splitCommaList, parsePeriod } from "../../http/values.ts";
import { parsePage, type PageRule } from "../../http/paging.ts";
import { decodeCursor, fingerprintOf } from "./search.ts";
import type { DeliveryFilter } from "../../pipeline/ledger/queries/delivery-filter.ts";
import type { PageRange } from "./service.ts";
import { eventActions, objectKinds } from "../../contracts/events.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import {
  idParams,
  limitQuery,
  oldNameOf,
  pageQueryOf,
  periodQuery,
  wordList,
} from "../../http/schema.ts";
import type { JsonSchema } from "../../http/route.ts";
import { exportFormats, type ExportFormat } from "./present.ts";

export const deliveryParams = idParams("deliveryId");

export type DeliveryParams = { deliveryId: number };

export const webhookDeliveryParams = idParams("webhookId", "deliveryId");

export const searchRule: PageRule = { defaultLimit: 50, maxLimit: 200 };

export const listRule: PageRule = { defaultLimit: 10, maxLimit: 100 };

/** The largest offset. Beyond it use the cursor, whose cost does not grow. */
export const largestOffset = 10_000;

/** Parses the ids of webhooks. */
export const webhookIdsField = {
  type: "string",
  maxLength: 1_000,
  pattern: "^ *([1-9][0-9]{0,14} *)?(, *([1-9][0-9]{0,14} *)?)*$",
  rule: "a comma-separated list of webhook ids",
} as const;

const eventIdField = { type: "string", pattern: "^evt_[A-Za-z0-9_-]{1,60}$" } as const;

const filterFields = {
  status: wordList(deliveryStates),
  result: wordList(attemptResults),
  object: { type: "string", enum: objectKinds },
  objectId: { type: "string", minLength: 1, maxLength: 64 },
  event: { type: "string", enum: eventActions },
  eventType: { type: "string", enum: sessionEventTypes },
  event_id: eventIdField,
  eventId: oldNameOf("event_id", eventIdField),
  text: { type: "string", minLength: 2, maxLength: 100 },
  replay: { type: "integer", minimum: 1 },
  ...periodQuery,
  cursor: {
    type: "string",
    maxLength: 256,
    description: "Where to go on: the `next_cursor` of an answer to the same question",
  },
};

const pageFields = pageQueryOf(listRule, largestOffset);

const offsetField = {
  ...pageFields.offset,
  rule: "use cursor instead: each response has the next one in next_cursor",
};

/** Query of the deliveries of one webhook. */
export const listDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: { ...filterFields, ...pageFields, offset: offsetField },
};

/** Query of the deliveries of all webhooks. */
export const searchDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: { webhook: webhookIdsField, ...filterFields, ...limitQuery(searchRule) },
};

/** Query of an export. */
export const exportDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: {
    webhook: webhookIdsField,
    ...Object.fromEntries(Object.entries(filterFields).filter(([name]) => name !== "limit")),
    format: { type: "string", enum: exportFormats },
  },
};

export type SearchDeliveriesQuery = {
  webhook?: string;
  status?: string;
  result?: string;
  object?: (typeof objectKinds)[number];
  objectId?: string;
  event?: (typeof eventActions)[number];
  eventType?: (typeof sessionEventTypes)[number];
  event_id?: string;
  /** The old name of `event_id`, kept for one version. */
  eventId?: string;
  text?: string;
  replay?: number;
  since?: string;
  until?: string;
  cursor?: string;
  limit?: number;
};

export type ExportDeliveriesQuery = Omit<SearchDeliveriesQuery, "limit"> & {
  format?: ExportFormat;
};

export type ListDeliveriesQuery = Omit<SearchDeliveriesQuery, "webhook"> & { offset?: number };

/** Throws `invalid_parameter` for an invalid filter. */
export function parseFilter(query: SearchDeliveriesQuery): DeliveryFilter {
  return {
    subscriptionIds: parseIds("webhook", query.webhook),
    states: parseWords<DeliveryState>(query.status),
    results: parseWords<AttemptResult>(query.result),
    object: query.object,
    event: query.event,
    eventType: query.eventType,
    objectId: query.objectId,
    eventId: query.event_id ?? query.eventId,
    text: checkText(query.text),
    replayId: query.replay,
    ...parsePeriod(query),
  };
}

export function parseIds(field: string, text: string | undefined): number[] {
  return splitCommaList(text ?? "").map((word) => {
    const id = /^\d{1,15}$/u.test(word) ? Number(word) : 0;
    if (id < 1) {
      throw invalidParameter(field, "format", `"${word}" is not an id.`);
    }
    return id;
  });
}

/** The schema has validated the words. */
export function parseWords<Word extends string>(text = ""): Word[] {
  return [...new Set(splitCommaList(text) as Word[])];
}

function checkText(text: string | undefined): string | undefined {
  if (text?.includes("\u0000") === true) {
    throw invalidParameter(
      "text",
      "format",
      "The text contains a character that payloads cannot contain.",
    );
  }
  return text;
}

/** Identifies a search: enterprise, webhook, and every filter. A cursor is bound to it. */
export function searchOf(
  owner: { enterpriseId: number; subscriptionId?: number },
  filter: DeliveryFilter,
): string {
  return fingerprintOf([owner.enterpriseId, owner.subscriptionId ?? null, filter]);
}

/** The requested page of a search with this fingerprint. */
export function parsePageRange(
  query: ListDeliveriesQuery,
  fingerprint: string,
  rule: PageRule,
): PageRange {
  const { limit, offset } = parsePage(query, rule);
  checkOffset(query);
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, fingerprint);
  return { before, limit, offset };
}

function checkOffset({ cursor, offset = 0 }: ListDeliveriesQuery): void {
  if (cursor !== undefined && offset > 0) {
    throw invalidParameter("offset", "exclusive", "Give either a cursor or an offset.");
  }
  if (offset > largestOffset) {
    const detail = `The offset must be between 0 and ${largestOffset}. Use cursor instead: each response has the next one in next_cursor.`;
    throw invalidParameter("offset", "range", detail);
  }
}
