/**
 * Chunks in IndexedDB, so that a reload loses none; in memory, where the browser has no IndexedDB
 * (private windows).
 */
import { createMemoryStore, type ChunkStore, type PendingRecording } from "./chunk-store.ts";

export async function openChunkStore(): Promise<ChunkStore> {
  try {
    return createDatabaseStore(await openDatabase());
  } catch {
    return createMemoryStore();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open("sightline-recordings", 1);
  opening.addEventListener("upgradeneeded", () => {
    opening.result.createObjectStore("recordings", { keyPath: "id" });
    opening.result.createObjectStore("chunks", { keyPath: ["recordingId", "number"] });
  });
  return resultOf(opening);
}

type StoredChunk = Readonly<{ recordingId: number; number: number; data: Blob }>;

function createDatabaseStore(database: IDBDatabase): ChunkStore {
  const change = (): Readonly<Record<"recordings" | "chunks", IDBObjectStore>> => {
    const transaction = database.transaction(["recordings", "chunks"], "readwrite");
    return {
      recordings: transaction.objectStore("recordings"),
      chunks: transaction.objectStore("chunks"),
    };
  };
  return {
    begin: async (recording) => void (await resultOf(change().recordings.put(recording))),
    add: async (recording, number, data) => {
      const { recordings, chunks } = change();
      recordings.put(recording);
      chunks.put({ recordingId: recording.id, number, data } satisfies StoredChunk);
      return resultOf(chunks.count(rangeOf(recording.id)));
    },
    next: async (id) => {
      const found: IDBCursorWithValue | null = await resultOf(
        change().chunks.openCursor(rangeOf(id)),
      );
      return found === null ? undefined : (found.value as StoredChunk);
    },
    remove: async (id, number) => resultOf(change().chunks.delete([id, number])),
    forget: async (id) => {
      const { recordings, chunks } = change();
      recordings.delete(id);
      await resultOf(chunks.delete(rangeOf(id)));
    },
    list: async (owner) => {
      const all: PendingRecording[] = await resultOf(change().recordings.getAll());
      return all.filter((one) => one.owner === owner);
    },
  };
}

function rangeOf(recordingId: number): IDBKeyRange {
  return IDBKeyRange.bound([recordingId, 0], [recordingId, Infinity]);
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () =>
      reject(request.error ?? new Error("The browser cannot store it.")),
    );
  });
}
