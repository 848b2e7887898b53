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
  /** How long the store may be silent in each of three attempts. Default: 10 s. */
  silenceMs?: number;
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
  const { silenceMs = defaultSilenceMs } = options;
  let opened: Promise<{ sdk: Sdk; client: aws.S3Client; uploads: aws.S3Client }> | undefined;
  const use = () => {
    // Loaded lazily, because the library is large and disk storage does not need it.
    opened ??= import("./s3-sdk.ts").then((sdk) => ({
      sdk,
      client: connect(sdk, options, pauseMs),
      uploads: connect(sdk, options, silenceMs),
    }));
    return opened;
  };
  const limits = { requestTimeout: silenceMs };
  const at = (key: string) => ({ Bucket: options.bucket, Key: requireKey(key) });
  return {
    put: async (key, source) => {
      const params = { ...at(key), Body: bodyOf(source) };
      const { sdk, uploads } = await use();
      await new sdk.Upload({ client: uploads, params }).done();
    },
    open: async (key, range) => {
      const params = { ...at(key), ...headerOf(range) };
      const { sdk, client } = await use();
      const found = await orMissing(client.send(new sdk.GetObjectCommand(params), limits));
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
      const found = await orMissing(client.send(new sdk.HeadObjectCommand(params), limits));
      return found?.ContentLength;
    },
    remove: async (key) => {
      const params = at(key);
      const { sdk, client } = await use();
      await client.send(new sdk.DeleteObjectCommand(params), limits);
    },
    close: async () => {
      const { client, uploads } = (await opened) ?? {};
      client?.destroy();
      uploads?.destroy();
    },
  };
}

const connectTimeoutMs = 5_000;

/** A person may wait for the file. */
const defaultSilenceMs = 10_000;

/** How long somebody who downloads may read nothing. */
const pauseMs = 60_000;

/** One part, at 0.7 Mbit/s. */
const uploadTimeoutMs = 60_000;

/**
 * A download holds its connection for as long as its reader takes. With the default of the SDK, 50
 * slow readers would block every other file of the process.
 */
const connections = { maxSockets: 1_000 };

/** `socketTimeout`: how long nothing may be sent or received. */
function connect({ S3Client: Client }: Sdk, options: S3Options, socketTimeout: number) {
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
      httpAgent: connections,
      httpsAgent: connections,
      connectionTimeout: connectTimeoutMs,
      requestTimeout: uploadTimeoutMs,
      socketTimeout,
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
