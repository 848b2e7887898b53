/** Both included, as in the header. */
export type ByteRange = Readonly<{ start: number; end: number }>;

type Bounds = Readonly<{ first: string; last: string }>;

type Headers = Readonly<{ header: (name: string) => string | undefined }>;

/**
 * The part that a request wants. Undefined, thus the whole: without a `Range`, with one that this
 * server does not know (several parts, other units), and where `If-Range` names another version.
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

/** Undefined where there is no range of the one form that this server knows. */
function readBounds(text: string): Bounds | undefined {
  const match = /^bytes=(?!-$)(?<first>\d*)-(?<last>\d*)$/u.exec(text.trim());
  const bounds = match?.groups as Bounds | undefined;
  return bounds === undefined || isBackwards(bounds) ? undefined : bounds;
}

function isBackwards({ first, last }: Bounds): boolean {
  return first !== "" && last !== "" && Number(last) < Number(first);
}

/** The last bytes where only their number is given, else from the first one on. */
function toRange({ first, last }: Bounds, bytes: number): ByteRange {
  if (first === "") {
    return { start: Math.max(0, bytes - Number(last)), end: bytes - 1 };
  }
  const end = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return { start: Number(first), end };
}
