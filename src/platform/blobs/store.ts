import type { Readable } from "node:stream";

/** The source of a blob: a file, bytes, or a stream that is read to its end. */
export type BlobSource =
  | Readonly<{ path: string }>
  | Readonly<{ data: Uint8Array }>
  | Readonly<{ stream: Readable }>;

/** The first and the last byte, both included. */
export type ByteRange = Readonly<{ start: number; end: number }>;

export type OpenBlob = Readonly<{
  /** The requested bytes. The caller reads the stream to its end or destroys it. */
  stream: Readable;
  /** Size of the whole blob, even for a range. */
  totalBytes: number;
}>;

/** A store of files. A blob is stored completely or not at all, in spite of crashes. */
export type BlobStore = {
  /** Stores the blob, replacing an existing one. Durable when it resolves. */
  put(key: string, source: BlobSource): Promise<void>;
  /** The blob, or a range of it, which must lie inside; undefined if it does not exist. */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>;
  /** The size in bytes; undefined if the blob does not exist. */
  size(key: string): Promise<number | undefined>;
  /** Deletes the blob. Does nothing if it does not exist. */
  remove(key: string): Promise<void>;
};

const keyShape = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*){1,5}$/u;

/**
 * Keys are generated: lower-case words of letters, digits and dashes, joined by slashes. They never
 * contain a user's file name, which prevents path traversal.
 */
export function requireKey(key: string): string {
  if (key.length > 200 || !keyShape.test(key)) {
    throw new Error("A blob's key must be made of words, digits and slashes");
  }
  return key;
}
