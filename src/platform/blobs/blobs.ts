import { createDiskBlobs } from "./disk.ts";
import { createS3Blobs, type S3Options } from "./s3.ts";
import type { BlobStore } from "./store.ts";

export type BlobOptions =
  | Readonly<{ store: "disk"; dir: string }>
  | (S3Options & Readonly<{ store: "s3" }>);

export type Blobs = Readonly<{ blobs: BlobStore; close: () => Promise<void> }>;

/** Creates the configured store. Opens nothing before the first use. */
export function createBlobs(options: BlobOptions): Blobs {
  if (options.store === "disk") {
    return { blobs: createDiskBlobs(options), close: async () => undefined };
  }
  const blobs = createS3Blobs(options);
  return { blobs, close: () => blobs.close() };
}
