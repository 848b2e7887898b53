import type { ByteRange } from "./byte-range.ts";

export type FileFacts = Readonly<{
  /** Never the same for other bytes. */
  hash: string;
  state: string;
  filename: string;
  type: string;
  bytes: number;
}>;

/**
 * Headers of an answer that is a file, or a part of it. Whatever the bytes are, no browser runs
 * them: their type is not guessed, and as a page they are in a sandbox without scripts.
 */
export function fileHeaders(file: FileFacts, range?: ByteRange) {
  return {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=300",
    "Content-Disposition": dispositionOf(file.filename, file.type),
    "Content-Length": String(range === undefined ? file.bytes : range.end - range.start + 1),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    // Customers show pictures on their own pages; who has the link may have the file.
    "Cross-Origin-Resource-Policy": "cross-origin",
    ETag: `"${file.hash}-${file.state}-${file.bytes}"`,
    "X-Content-Type-Options": "nosniff",
    ...(range === undefined
      ? {}
      : { "Content-Range": `bytes ${range.start}-${range.end}/${file.bytes}` }),
  };
}

/** RFC 5987: what does not fit into ASCII goes encoded into `filename*`. */
function dispositionOf(filename: string, type: string): string {
  const kind = /^(?:image|video)\//u.test(type) ? "inline" : "attachment";
  const ascii = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/gu,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
