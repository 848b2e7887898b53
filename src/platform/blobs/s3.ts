import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type * as aws from "./s3-sdk.ts";
import { requireKey, type BlobSource, type BlobStore, type ByteRange } from "./store.ts";

export type S3Options = Readonly<{
  bucket: string;
  /** Default: AWS. */
  endpoint: string | undefined;
  region: string;
  /** Default: the credential chain of AWS. */
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string }> | undefined;
}>;

type Sdk = typeof aws;

export type S3Blobs = BlobStore & {
  /** Closes the connections. */
  close(): Promise<void>;
};

/**
 * Blobs in a bucket. S3 shows an object only when it is complete. Parts of an aborted upload are
 * not objects: a lifecycle rule of the bucket should abort them.
 */
export function createS3Blobs(options: S3Options): S3Blobs {
  let opened: Promise<{ sdk: Sdk; client: aws.S3Client }> | undefined;
  const use = () => {
    // Loaded lazily, because the library is large and disk storage does not need it.
    opened ??= import("./s3-sdk.ts").then((sdk) => ({ sdk, client: connect(sdk, options) }));
    return opened;
  };
  const at = (key: string) => ({ Bucket: options.bucket, Key: requireKey(key) });
  return {
    put: async (key, source) => {
      const params = { ...at(key), Body: bodyOf(source) };
      const { sdk, client } = await use();
      await new sdk.Upload({ client, params }).done();
    },
    open: async (key, range) => {
      const params = { ...at(key), ...headerOf(range) };
      const { sdk, client } = await use();
      const found = await orMissing(client.send(new sdk.GetObjectCommand(params)));
      if (!(found?.Body instanceof Readable)) {
        return undefined;
      }
      return {
        stream: found.Body,
        totalBytes: totalOf(found.ContentRange, found.ContentLength),
      };
    },
    size: async (key) => {
      const params = at(key);
      const { sdk, client } = await use();
      const found = await orMissing(client.send(new sdk.HeadObjectCommand(params)));
      return found?.ContentLength;
    },
    remove: async (key) => {
      const params = at(key);
      const { sdk, client } = await use();
      await client.send(new sdk.DeleteObjectCommand(params));
    },
    close: async () => {
      const { client } = (await opened) ?? {};
      client?.destroy();
    },
  };
}

const connectTimeoutMs = 5_000;

const answerTimeoutMs = 60_000;

function connect({ S3Client: Client }: Sdk, options: S3Options) {
  return new Client({
    region: options.region,
    ...(options.credentials === undefined ? {} : { credentials: { ...options.credentials } }),
    // Stores other than AWS rarely support one host name per bucket.
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint, forcePathStyle: true }),
    // They also lack the checksums that AWS added later.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: answerTimeoutMs,
      socketTimeout: answerTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}

function bodyOf(source: BlobSource): Readable | Uint8Array {
  if ("path" in source) {
    return createReadStream(source.path);
  }
  return "data" in source ? source.data : source.stream;
}

function headerOf(range: ByteRange | undefined) {
  return range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (isMissing(thrown)) {
      return undefined;
    }
    throw thrown;
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === "NoSuchKey" || thrown.name === "NotFound");
}

/** `bytes 0-9/1000`, for a range request. */
function totalOf(contentRange: string | undefined, contentLength: number | undefined): number {
  const total = contentRange?.split("/")[1];
  return total === undefined ? (contentLength ?? 0) : Number(total);
}
