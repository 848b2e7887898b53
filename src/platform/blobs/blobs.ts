import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createS3Blobs, type S3Options } from "./s3.ts";
import { type BlobSource, type BlobStore, requireKey } from "./store.ts";

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

/**
 * In: time. Out: abandoned temporary files deleted.
 * Guarantee: only files older than a day are deleted, because no operation takes that long.
 * On crash: the next pass does the same.
 */
export type LeftoverFolders = Readonly<{
  /** The folder of blobs; undefined with S3. */
  blobDir: string | undefined;
  temporaryDir: string;
}>;

/**
 * Blobs in a folder that several processes may share. A blob is written under `incoming`, synced
 * and renamed, so a killed process leaves nothing else behind.
 */
export function createDiskBlobs({ dir }: { dir: string }): BlobStore {
  const incoming = join(dir, "incoming");
  return {
    put: async (key, source) => {
      const target = pathIn(dir, key);
      const temporary = join(incoming, randomUUID());
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      try {
        await write(temporary, source);
        await rename(temporary, target);
      } catch (thrown) {
        await rm(temporary, { force: true });
        throw thrown;
      }
      await sync(dirname(target)); // the new name is durable only after its folder is synced
    },
    open: async (key, range) => {
      const path = pathIn(dir, key);
      // Opened before its size is read, so that both belong to the same file if it is replaced now.
      const handle = await open(path, "r").catch((thrown: unknown) => {
        if (isMissing(thrown)) {
          return undefined;
        }
        throw thrown;
      });
      if (handle === undefined) {
        return undefined;
      }
      try {
        const { size } = await handle.stat();
        return { stream: createReadStream(path, { fd: handle, ...range }), totalBytes: size };
      } catch (thrown) {
        await handle.close();
        throw thrown;
      }
    },
    size: (key) => statOf(pathIn(dir, key)),
    remove: async (key) => {
      await rm(pathIn(dir, key), { force: true });
    },
  };
}

/** The name is readable; two levels of hash folders keep each folder small. */
function pathIn(dir: string, key: string): string {
  const hash = createHash("sha256").update(requireKey(key)).digest("hex");
  return join(dir, hash.slice(0, 2), hash.slice(2, 4), key.replaceAll("/", "."));
}

async function write(path: string, source: BlobSource): Promise<void> {
  if ("path" in source) {
    await copyFile(source.path, path);
  } else {
    const bytes = "data" in source ? [source.data] : source.stream;
    await pipeline(bytes, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  }
  await sync(path);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function statOf(path: string): Promise<number | undefined> {
  try {
    const { size } = await stat(path);
    return size;
  } catch (thrown) {
    if (isMissing(thrown)) {
      return undefined;
    }
    throw thrown;
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
}

const keptMs = 86_400_000;

/** Prefixes of this program's temporary files: uploads, recordings, pictures. */
const ownNamePattern = /^sightline-(?:upload|recording|ocr)-/u;

/** Deletes files older than a day, by their modification time. Returns how many. */
export async function removeLeftovers(
  { blobDir, temporaryDir }: LeftoverFolders,
  now: Date,
): Promise<number> {
  const before = now.getTime() - keptMs;
  const incoming = blobDir === undefined ? undefined : join(blobDir, "incoming");
  const unfinished = incoming === undefined ? [] : await namesIn(incoming);
  const temporary = (await namesIn(temporaryDir)).filter((name) => ownNamePattern.test(name));
  const paths = [
    ...unfinished.map((name) => join(incoming ?? "", name)),
    ...temporary.map((name) => join(temporaryDir, name)),
  ];
  let removed = 0;
  for (const path of paths) {
    removed += Number(await removeOld(path, before));
  }
  return removed;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch {
    return []; // nothing was ever stored there, or it is not readable
  }
}

/** Another process may delete or own it, which is no reason to stop. */
async function removeOld(path: string, before: number): Promise<boolean> {
  try {
    const { mtimeMs } = await lstat(path);
    if (mtimeMs >= before) {
      return false;
    }
    await rm(path, { recursive: true });
    return true;
  } catch {
    return false;
  }
}
