import { createHash } from "node:crypto";
import { invalidParameter } from "../../contracts/problems.ts";

/**
 * Where a search goes on: below this id. It holds nothing that a client could not know, and no
 * more can be had with a changed one than the same search gives; it is bound to its search only so
 * that a page of one is never taken for the next page of another.
 */
const version = 1;

type Cursor = { v: number; b: number; f: string };

/** What a search is known by. Each member of the filter stands where it is written. */
export function fingerprintOf(search: unknown): string {
  return createHash("sha256").update(JSON.stringify(search)).digest("base64url").slice(0, 16);
}

export function encodeCursor(before: number, fingerprint: string): string {
  const cursor: Cursor = { v: version, b: before, f: fingerprint };
  return Buffer.from(JSON.stringify(cursor)).toString("base64url");
}

/** The id that the search goes on below. Throws `invalid_parameter` where it is not such a cursor. */
export function decodeCursor(text: string, fingerprint: string): number {
  const { v, b, f } = decode(text) ?? {};
  if (v !== version || typeof b !== "number" || !Number.isSafeInteger(b) || b < 1) {
    throw invalidParameter(
      "cursor",
      "format",
      "The cursor is invalid: use one that a list returned.",
    );
  }
  if (f !== fingerprint) {
    const detail =
      "The cursor belongs to a search with other filters. Repeat the request with the same filters.";
    throw invalidParameter("cursor", "mismatch", detail);
  }
  return b;
}

function decode(text: string): Partial<Cursor> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
