/**
 * The log as a file: what a search finds, in parts, as fast as they are taken. The ids are read first,
 * so that a refusal comes before the first byte and the head says whether the file holds everything; no
 * connection is held while a slow client reads.
 */
import { Readable } from "node:stream";
import { toCsvLines } from "../../platform/csv.ts";
import { presentDelivery } from "./present.ts";
import type { Delivery } from "../../pipeline/ledger/queries/deliveries.ts";

export const exportFormats = ["csv", "json"] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** More rows than this are exported in several files. */
export const maxExported = 10_000;

/** `next`: the cursor of the next file. Null where this one is the last. */
type ExportHead = Readonly<{ complete: boolean; next: string | null }>;

type Batches = AsyncIterable<readonly Delivery[]>;

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

/** Objects become columns of their own; all else keeps the name that it has in JSON. */
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
