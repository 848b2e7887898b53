import { eventActions, objectKinds } from "../../contracts/events.ts";
import { sessionEventTypes } from "../../contracts/session-events.ts";
import {
  idParams,
  limitQuery,
  pageQueryOf,
  periodQuery,
  wordList,
} from "../../http/request-schema.ts";
import type { PageRule } from "../../http/paging.ts";
import type { JsonSchema } from "../../http/route.ts";
import { exportFormats, type ExportFormat } from "./export.ts";

import { attemptResults } from "./filter.ts";
import { deliveryStates } from "./store.ts";

export const deliveryParams = idParams("deliveryId");
export type DeliveryParams = { deliveryId: number };

export const webhookDeliveryParams = idParams("webhookId", "deliveryId");

export const searchRule: PageRule = { defaultLimit: 50, maxLimit: 200 };
export const listRule: PageRule = { defaultLimit: 10, maxLimit: 100 };
/** Whatever lies further back is reached by the cursor, which costs the same on every page. */
export const largestOffset = 10_000;

const webhook = {
  type: "string",
  maxLength: 1_000,
  pattern: "^ *([1-9][0-9]{0,14})?( *, *([1-9][0-9]{0,14})?)* *$",
  rule: "a list, separated by commas, of ids of webhooks",
} as const;

const filters = {
  status: wordList(deliveryStates),
  result: wordList(attemptResults),
  object: { type: "string", enum: objectKinds },
  objectId: { type: "string", minLength: 1, maxLength: 64 },
  event: { type: "string", enum: eventActions },
  eventType: { type: "string", enum: sessionEventTypes },
  eventId: { type: "string", pattern: "^evt_[A-Za-z0-9_-]{1,60}$" },
  text: { type: "string", minLength: 2, maxLength: 100 },
  replay: { type: "integer", minimum: 1 },
  ...periodQuery,
  cursor: {
    type: "string",
    maxLength: 256,
    description: "Where to go on: the `next_cursor` of an answer to the same question",
  },
};

const page = pageQueryOf(listRule, largestOffset);
const offset = {
  ...page.offset,
  rule: "go on with cursor instead, each answer holds the next one in next_cursor",
};

/** Of the deliveries of one webhook. */
export const listDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: { ...filters, ...page, offset },
};

/** Of those of all webhooks. */
export const searchDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: { webhook, ...filters, ...limitQuery(searchRule) },
};

/** Of a file of them. */
export const exportDeliveriesSchema: JsonSchema = {
  type: "object",
  properties: {
    webhook: { type: "string", maxLength: 1_000 },
    ...Object.fromEntries(Object.entries(filters).filter(([name]) => name !== "limit")),
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
