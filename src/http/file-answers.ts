import { stringify } from "csv-stringify/sync";
import type { ByteRange } from "../platform/blobs/store.ts";

export type FileFacts = Readonly<{
  /** Differs for different bytes. */
  hash: string;
  state: string;
  filename: string;
  type: string;
  bytes: number;
}>;

type RangeBounds = Readonly<{ first: string; last: string }>;

/**
 * Headers of an answer with a file or a part of it. No browser executes the file: it does not sniff
 * the type, and a sandbox blocks scripts.
 */
export function fileHeaders(file: FileFacts, range?: ByteRange) {
  return {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=300",
    "Content-Disposition": dispositionOf(file.filename, file.type),
    "Content-Length": String(range === undefined ? file.bytes : range.end - range.start + 1),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    // Customers embed pictures in their own pages. Anybody with the link may read the file.
    "Cross-Origin-Resource-Policy": "cross-origin",
    ETag: `"${file.hash}-${file.state}-${file.bytes}"`,
    "X-Content-Type-Options": "nosniff",
    ...(range === undefined
      ? {}
      : { "Content-Range": `bytes ${range.start}-${range.end}/${file.bytes}` }),
  };
}

/** Names that are not ASCII are encoded in `filename*` (RFC 5987). */
function dispositionOf(filename: string, type: string): string {
  const kind = /^(?:image|video)\//u.test(type) ? "inline" : "attachment";
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/gu,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

type Headers = Readonly<{ header: (name: string) => string | undefined }>;

/**
 * The requested byte range. Undefined means the whole file: there is no `Range`, its form is not
 * supported (several ranges, other units), or `If-Range` names another version.
 */
export function parseRange(
  { header }: Headers,
  { bytes, etag }: { bytes: number; etag: string },
): ByteRange | "unsatisfiable" | undefined {
  const bounds = readBounds(header("range") ?? "");
  if (bounds === undefined || (header("if-range") ?? etag) !== etag) {
    return undefined;
  }
  const range = toRange(bounds, bytes);
  return range.start < bytes && range.start <= range.end ? range : "unsatisfiable";
}

/** Undefined unless the header has the one supported form. */
function readBounds(text: string): RangeBounds | undefined {
  const match = /^bytes=(?!-$)(?<first>\d*)-(?<last>\d*)$/u.exec(text.trim());
  const bounds = match?.groups as RangeBounds | undefined;
  return bounds === undefined || isBackwards(bounds) ? undefined : bounds;
}

function isBackwards({ first, last }: RangeBounds): boolean {
  return first !== "" && last !== "" && Number(last) < Number(first);
}

/** A suffix range (`-500`) counts from the end. */
function toRange({ first, last }: RangeBounds, bytes: number): ByteRange {
  if (first === "") {
    return { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  }
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return { start: Number(first), end };
}

/**
 * Rows as CSV lines. Escapes formulas (CSV injection). `isFirst`: adds the header, and the byte
 * order mark by which spreadsheets recognise UTF-8.
 */
export function toCsvLines<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  isFirst: boolean,
): string {
  return stringify([...rows], {
    columns: [...columns],
    header: isFirst,
    bom: isFirst,
    delimiter: ";",
    record_delimiter: "\r\n",
    cast: { string: withoutFormulas },
    // The library only quotes cells that contain the whole delimiter; half of `\r\n` breaks a line
    // too.
    quoted_match: /[\r\n]/u,
  });
}

/**
 * Where a spreadsheet may see the start of a formula: at the start of a text, or after a character
 * that it may read as the end of a cell or a line, whatever the delimiter, and quotes: after the end of
 * a cell they only quote the next one.
 */
const formulaStart = /(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?<=(?:^|[,;\t\r\n])"*)|^(?=[\t\r\n])/gu;

/** Prefixes formulas with an apostrophe. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(formulaStart, "'");
}
