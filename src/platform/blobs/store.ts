import type { Readable } from "node:stream";

/** What is put: a file that lies somewhere else, bytes, or a stream, which is read to its end. */
export type BlobSource =
  | Readonly<{ path: string }>
  | Readonly<{ data: Uint8Array }>
  | Readonly<{ stream: Readable }>;

/** The first and the last byte, both included. */
export type ByteRange = Readonly<{ start: number; end: number }>;

export type OpenBlob = Readonly<{
  /** Of the bytes asked for. The caller reads it to its end or destroys it. */
  stream: Readable;
  /** Of the whole blob, whatever part was asked for. */
  totalBytes: number;
}>;

/** Where files are. A blob is there whole or not at all, whatever dies while it is put. */
export type BlobStore = {
  /** Puts the blob, in place of what is there under that key. When it resolves, it is durable. */
  put(key: string, source: BlobSource): Promise<void>;
  /** The blob, or the part of it; undefined where there is none. The range must lie inside it. */
  open(key: string, range?: ByteRange): Promise<OpenBlob | undefined>;
  /** How many bytes it has; undefined where there is none. */
  size(key: string): Promise<number | undefined>;
  /** Removes the blob. One that is not there is removed already. */
  remove(key: string): Promise<void>;
};

const keyShape = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*){1,5}$/u;

/**
 * Keys are made by us: words of lower case letters, digits and dashes, joined by slashes. What a
 * user named a file is never part of one, so no key leads out of the folder or to another key.
 */
export function requireKey(key: string): string {
  if (key.length > 200 || !keyShape.test(key)) {
    throw new Error("A blob's key must be made of words, digits and slashes");
  }
  return key;
}
