/**
 * In: batches of rows, as they are read. Out: JSON or CSV, in parts, as fast as they are taken.
 * Guarantee: at most one batch is in memory; the next one is read when the client has taken this
 * one, and none after it went. Where a batch cannot be read the stream breaks, and the connection
 * with it: a file that ends early never looks whole.
 */
import { Readable } from "node:stream";
import { toCsvLines } from "../platform/csv.ts";

export type StatisticsFormat = "json" | "csv";

export type Export<Row extends object> = Readonly<{
  batches: AsyncIterable<readonly Row[]>;
  /** Of the CSV, in this order. */
  columns: readonly (keyof Row & string)[];
  format: StatisticsFormat;
}>;

/** JSON where nothing is said. */
export function toExportFormat(format: "JSON" | "CSV" | undefined): StatisticsFormat {
  return format === "CSV" ? "csv" : "json";
}

/** Without an end of its own to read ahead to: one part at a time. */
export function streamOf<Row extends object>(rows: Export<Row>): Readable {
  return Readable.from(render(rows), { objectMode: false, highWaterMark: 1 });
}

/** Renders batch after batch. The first part is there also where there is no row. */
async function* render<Row extends object>({
  batches,
  columns,
  format,
}: Export<Row>): AsyncGenerator<string> {
  let isFirst = true;
  if (format === "json") {
    yield "[";
  }
  for await (const rows of batches) {
    yield format === "json" ? toJsonPart(rows, isFirst) : toCsvLines(rows, columns, isFirst);
    isFirst = false;
  }
  if (format === "json") {
    yield "]";
  } else if (isFirst) {
    yield toCsvLines<Row>([], columns, true);
  }
}

function toJsonPart(rows: readonly object[], isFirst: boolean): string {
  return (isFirst ? "" : ",") + rows.map((row) => JSON.stringify(row)).join(",");
}
