import { deliveryStates, scheduledStates } from "../../contracts/deliveries.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { maskRequestHeaders, maskResponseHeaders } from "../../contracts/request-headers.ts";
import { encodeCursor } from "./search.ts";
import type { DeliveryDetails, DeliveryPage } from "./service.ts";
import { originOf } from "../../contracts/subscriptions.ts";
import {
  exactObject,
  flag,
  integer,
  nullableEventIdMembers,
  nullableInteger,
  nullableText,
  nullableTimestamp,
  presentEventId,
  presentObjectId,
  text,
  timestamp,
} from "../../http/schema.ts";
import type { LoggedAttempt, Delivery } from "../../pipeline/ledger/queries/deliveries.ts";
import type { JsonSchema } from "../../http/route.ts";
import { Readable } from "node:stream";
import { toCsvLines } from "../../http/file-answers.ts";

/** The answer schemas of the delivery log. */
const deliveryMembers = {
  id: integer,
  webhook: exactObject("DeliveryWebhook", {
    id: integer,
    name: text,
    origin: nullableText,
    deleted: flag,
  }),
  sequence: integer,
  ...nullableEventIdMembers,
  object: text,
  event: nullableText,
  event_type: nullableText,
  object_id: { type: ["integer", "string", "null"] },
  status: { type: "string", enum: deliveryStates },
  attempt_count: integer,
  next_try: nullableTimestamp,
  waits_for: nullableInteger,
  created: timestamp,
  ended: nullableTimestamp,
  end_reason: nullableText,
  last_attempt: nullableTimestamp,
  last_ms: nullableInteger,
  last_result: nullableText,
  last_code: nullableInteger,
  last_error: nullableText,
  replay: nullableInteger,
  replay_of: nullableInteger,
};

const attemptAnswer = exactObject("WebhookAttempt", {
  number: integer,
  origin: nullableText,
  address_changed: { type: ["boolean", "null"] },
  counted: flag,
  started: timestamp,
  ms: integer,
  code: nullableInteger,
  error: nullableText,
  error_detail: nullableText,
  phases: nullableMap({ type: "number" }),
  request_headers: nullableMap(text),
  response_headers: nullableMap(text),
  response_body: nullableText,
});

const items: JsonSchema = {
  type: "array",
  items: exactObject("WebhookDeliveryItem", deliveryMembers),
};

const pageMembers = {
  data: items,
  next_cursor: nullableText,
  examined: integer,
  complete: flag,
};

export const deliverySearchAnswer = exactObject("WebhookDeliverySearch", pageMembers);

export const deliveryExportAnswer = exactObject("WebhookDeliveryExport", {
  complete: flag,
  next_cursor: nullableText,
  data: items,
});

export const deliveryListAnswer = exactObject("WebhookDeliveryList", {
  total: integer,
  total_exact: flag,
  ...pageMembers,
});

export const deliveryAnswer = exactObject("WebhookDelivery", {
  ...deliveryMembers,
  waits_for_id: nullableInteger,
  body: nullableText,
  expunged: nullableTimestamp,
  attempts: { type: "array", items: attemptAnswer },
});

/**
 * The log as a file, streamed at the pace of the client. The ids are read first, so that an error
 * precedes the first byte and the headers say whether the file is complete. No connection is held
 * while a slow client reads.
 */
export const exportFormats = ["csv", "json"] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Larger results are split into several files. */
export const maxExported = 10_000;

/** `next`: the cursor of the next file; null for the last file. */
type ExportHead = Readonly<{ complete: boolean; next: string | null }>;

type Batches = AsyncIterable<readonly Delivery[]>;

/** One page and the cursor of the next. `fingerprint` identifies the search. */
export function presentPage(page: DeliveryPage, fingerprint: string) {
  return {
    data: page.deliveries.map(presentDelivery),
    next_cursor: page.next === undefined ? null : encodeCursor(page.next, fingerprint),
    examined: page.examined,
    complete: page.isComplete,
  };
}

/** A delivery with the exact body that is sent, and all attempts. */
export function presentDeliveryDetails({ delivery, attempts, waitsForId }: DeliveryDetails) {
  return {
    ...presentDelivery(delivery),
    waits_for_id: waitsForId,
    body: delivery.expunged === null ? delivery.body : null,
    expunged: toTimestampOrNull(delivery.expunged),
    attempts: attempts.map((attempt) => presentAttempt(attempt, delivery.subscription.url)),
  };
}

/** The current URL of the webhook. */
function presentAttempt(attempt: LoggedAttempt, url: string | null) {
  return {
    number: attempt.number,
    origin: originOf(attempt.url),
    address_changed: attempt.url === null ? null : attempt.url !== url,
    counted: attempt.isCounted,
    started: toTimestamp(attempt.startedAt),
    ms: attempt.durationMs,
    code: attempt.status,
    error: attempt.failure,
    error_detail: attempt.failureDetail,
    phases: attempt.phases,
    request_headers: attempt.requestHeaders && maskRequestHeaders(attempt.requestHeaders),
    response_headers: attempt.responseHeaders && maskResponseHeaders(attempt.responseHeaders),
    response_body: attempt.responseBody,
  };
}

/** The bytes of the file. */
export function renderExport(format: ExportFormat, batches: Batches, head: ExportHead): Readable {
  return Readable.from(format === "csv" ? renderCsv(batches) : renderJson(batches, head), {
    objectMode: false,
  });
}

const csvColumns: readonly (keyof ReturnType<typeof flatten>)[] = [
  ...(["id", "created", "status", "webhook", "webhook_name", "webhook_origin"] as const),
  ...(["sequence", "event_id", "object", "event", "event_type", "object_id"] as const),
  ...(["attempt_count", "last_attempt", "last_ms", "last_result", "last_code"] as const),
  ...(["last_error", "next_try", "waits_for", "ended", "end_reason"] as const),
  ...(["replay", "replay_of", "webhook_id"] as const),
];

async function* renderCsv(batches: Batches): AsyncGenerator<string> {
  yield toCsvLines([], csvColumns, true);
  for await (const batch of batches) {
    yield toCsvLines(
      batch.map((delivery) => flatten(presentDelivery(delivery))),
      csvColumns,
      false,
    );
  }
}

type ExportRow = ReturnType<typeof presentDelivery>;

/** Objects become several columns; other fields keep their JSON names. */
function flatten({ webhook, ...rest }: ExportRow) {
  return {
    ...rest,
    webhook: webhook.id,
    webhook_name: webhook.name,
    webhook_origin: webhook.origin,
  };
}

async function* renderJson(
  batches: Batches,
  { complete, next }: ExportHead,
): AsyncGenerator<string> {
  yield `{"complete":${complete},"next_cursor":${JSON.stringify(next)},"data":[`;
  let isFirst = true;
  for await (const batch of batches) {
    if (batch.length > 0) {
      const rows = batch.map((delivery) => JSON.stringify(presentDelivery(delivery)));
      yield `${isFirst ? "" : ","}${rows.join(",")}`;
      isFirst = false;
    }
  }
  yield "]}";
}

/** A delivery as an item of the list. */
function presentDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    webhook: presentSubscription(delivery.subscription),
    sequence: delivery.sequence,
    ...presentEventId(delivery.eventId),
    object: delivery.object,
    event: delivery.event,
    event_type: delivery.eventType,
    object_id: delivery.objectId === null ? null : presentObjectId(delivery.objectId),
    status: delivery.state,
    attempt_count: delivery.attempts,
    next_try: scheduledStates.includes(delivery.state) ? toTimestamp(delivery.dueAt) : null,
    waits_for: delivery.waitsFor,
    created: toTimestamp(delivery.created),
    ended: toTimestampOrNull(delivery.ended),
    end_reason: delivery.endReason,
    last_attempt: toTimestampOrNull(delivery.lastAttempt),
    last_ms: delivery.lastMs,
    last_result: delivery.lastResult,
    last_code: delivery.lastStatus,
    last_error: delivery.lastFailure,
    replay: delivery.replayId,
    replay_of: delivery.replayOf,
  };
}

function presentSubscription({ id, name, url, isDeleted }: Delivery["subscription"]) {
  return {
    id,
    name,
    origin: originOf(url),
    deleted: isDeleted,
  };
}

function nullableMap(values: JsonSchema): JsonSchema {
  return {
    type: ["object", "null"],
    additionalProperties: values,
  };
}
