import { createHash } from "node:crypto";
import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import {
  type Media,
  mediaCreated,
  type MediaDeps,
  type MediaOwner,
  mediaUpdated,
  type ParentRef,
  storeFailed,
} from "./model.ts";
import { requireQuota } from "./upload.ts";
import {
  chunkKey,
  findChunk,
  findRecording,
  insertChunk,
  listChunks,
  lockRecording,
  markChunkStored,
  setChunksTotal,
  type RecordingChunk,
  type Recording,
} from "./recording-store.ts";
import { abandonTask, remuxTask, silenceMs, silenceTask } from "./recording-tasks.ts";
import type { RecordingType } from "./remux.ts";
import { insertMedia, updateMedia } from "./store.ts";

/** The recording participant of a conversation. */
export type Recorder = Readonly<{
  enterpriseId: number;
  conversationId: number;
  parent: ParentRef;
  owner: MediaOwner;
}>;

export type RecordingView = Readonly<{ media: Media; chunks: number; bytes: number }>;

export type Recordings = {
  start(recorder: Recorder, order: { type: string; title?: string }): Promise<RecordingView>;
  /** Stores a chunk. Idempotent; chunks may arrive in any order. */
  putChunk(
    recorder: Recorder,
    id: number,
    chunk: { number: number; data: Buffer },
  ): Promise<Pick<RecordingChunk, "number" | "bytes">>;
  /** Finishes a recording with this number of chunks; 409 names missing ones. */
  finalize(recorder: Recorder, id: number, chunks: number): Promise<RecordingView>;
};

export const maxChunkBytes = 8 * 1024 * 1024;

type RecordingLimits = Readonly<{ maxBytes: number; maxMs: number }>;

const fileExtensions: Record<RecordingType, string> = { "video/webm": "webm", "video/mp4": "mp4" };

const defaultLimits: RecordingLimits = { maxBytes: 2 * 1024 ** 3, maxMs: 4 * 3_600_000 };

export function createRecordings(
  deps: MediaDeps,
  rules: RecordingLimits = defaultLimits,
): Recordings {
  return {
    start: createStart(deps),
    putChunk: createPutChunk(deps, rules),
    finalize: createFinalize(deps),
  };
}

function createStart({ db, clock, ids, outbox, tasks }: MediaDeps): Recordings["start"] {
  return async (recorder, order) => {
    const type = parseType(order.type);
    const at = clock.now();
    const filename = `recording-${at.toISOString().slice(0, 19).replaceAll(":", "-")}.${fileExtensions[type]}`;
    return inTransaction(db, async (trx) => {
      await requireQuota(trx, { enterpriseId: recorder.enterpriseId, bytes: 1 });
      const media = await insertMedia(trx, {
        ...recorder,
        hash: ids.uuid(),
        sourceType: recorder.parent.name === "ticket" ? "ticket_record" : "conf_record",
        title: order.title ?? filename,
        description: null,
        filename,
        mimeType: type,
        geoloc: null,
        at,
        receivedBytes: 0,
        lastChunkAt: at,
      });
      await outbox.append(trx, [mediaCreated(media)]);
      await tasks.plan(trx, [silenceTask(media, at)]);
      return { media, chunks: 0, bytes: 0 };
    });
  };
}

/** The MIME type that browsers send: `video/webm;codecs=vp8,opus`. */
function parseType(input: string): RecordingType {
  const type = input.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!(type in fileExtensions)) {
    throw invalidParameter(
      "type",
      "unknown",
      `The type field is invalid: it must be one of ${Object.keys(fileExtensions).join(", ")}.`,
    );
  }
  return type as RecordingType;
}

/**
 * Writes the chunk's row, then its bytes, then marks it as stored; only marked chunks count. After
 * a crash the recorder sends the chunk again, and every stored blob has a row. The row of the
 * recording is locked while a chunk is counted, which serializes limits, silence and the end.
 */
function createPutChunk(deps: MediaDeps, rules: RecordingLimits): Recordings["putChunk"] {
  const { db, clock, blobs, outbox, tasks } = deps;

  /** Resumes a recording after a silence. */
  const resume = async (trx: Trx, recording: Recording, at: Date): Promise<void> => {
    if (recording.state !== "uncompleted") {
      return;
    }
    const media = await updateMedia(trx, recording, { at, state: "inprogress" });
    await outbox.append(trx, [mediaUpdated(media)]);
    await tasks.cancel(trx, { kind: "recording.giveUp", key: `media:${media.id}` });
    await tasks.plan(trx, [silenceTask(recording, at)]);
  };

  const checkLimits = async (trx: Trx, recording: Recording, bytes: number, at: Date) => {
    const gapMs = Math.max(0, at.getTime() - recording.lastChunkAt.getTime());
    const activeMs = recording.activeMs + Math.min(gapMs, silenceMs);
    if (recording.receivedBytes + bytes > rules.maxBytes || activeMs > rules.maxMs) {
      throw problem("too_large", "The recording has reached its maximum size or duration.");
    }
    await requireQuota(trx, { enterpriseId: recording.enterpriseId, bytes });
    return activeMs;
  };

  const begin = (recorder: Recorder, id: number, chunk: RecordingChunk) =>
    inTransaction(db, async (trx) => {
      const ref = { enterpriseId: recorder.enterpriseId, id };
      const recording = requireInConversation(await lockRecording(trx, ref), recorder, id);
      const known = await findChunk(trx, id, chunk.number);
      if (known !== undefined) {
        requireSameBytes(known, chunk.sha256);
        return { hash: recording.hash, isStored: known.isStored };
      }
      requireOpen(recording);
      const at = clock.now();
      const activeMs = await checkLimits(trx, recording, chunk.bytes, at);
      await insertChunk(trx, id, chunk, { at, activeMs });
      await resume(trx, recording, at);
      return { hash: recording.hash, isStored: false };
    });

  return async (recorder, id, { number, data }) => {
    if (data.length === 0) {
      throw invalidParameter("body", "empty", "The chunk is empty.");
    }
    const sha256 = createHash("sha256").update(data).digest("hex");
    const chunk = { number, bytes: data.length, sha256 };
    const begun = await begin(recorder, id, chunk);
    if (!begun.isStored) {
      const key = chunkKey(begun.hash, chunk);
      await blobs.put(key, { data }).catch((cause: unknown) => {
        throw storeFailed(`Chunk ${number} could not be stored.`, cause);
      });
      if (!(await markChunkStored(db, id, chunk, clock.now()))) {
        await blobs.remove(key);
        throw problem("not_found", `Recording ${id} was not found.`);
      }
    }
    return { number, bytes: data.length };
  };
}

function requireSameBytes(known: RecordingChunk, sha256: string): void {
  if (known.sha256 !== sha256) {
    throw problem("conflict", `Chunk ${known.number} was already received with other content.`, {
      details: `Chunk ${known.number}`,
    });
  }
}

function createFinalize({ db, clock, tasks }: MediaDeps): Recordings["finalize"] {
  return async (recorder, id, chunks) =>
    inTransaction(db, async (trx) => {
      const ref = { enterpriseId: recorder.enterpriseId, id };
      const recording = requireInConversation(await lockRecording(trx, ref), recorder, id);
      if (recording.chunksTotal === chunks) {
        return view(trx, recording);
      }
      requireOpen(recording);
      requireComplete(await listChunks(trx, id), chunks);
      const at = clock.now();
      await setChunksTotal(trx, id, chunks);
      await tasks.cancel(trx, { kind: "recording.silent", key: `media:${id}` });
      await tasks.plan(trx, [remuxTask(recording, at), abandonTask(recording, at)]);
      return view(trx, recording);
    });
}

function requireInConversation(
  found: Recording | undefined,
  recorder: Recorder,
  id: number,
): Recording {
  if (found?.conversationId !== recorder.conversationId) {
    throw problem("not_found", `Recording ${id} was not found.`);
  }
  return found;
}

async function view(trx: Trx, { id, enterpriseId }: Media): Promise<RecordingView> {
  const media = requireFound(await findRecording(trx, { id, enterpriseId }));
  return { media, bytes: media.receivedBytes, chunks: (await listChunks(trx, id)).length };
}

function requireFound<T>(found: T | undefined): T {
  if (found === undefined) {
    throw new Error("The recording is gone under its lock");
  }
  return found;
}

function requireOpen({ closedAt, chunksTotal, state }: Recording): void {
  if (closedAt !== null || chunksTotal !== null) {
    throw problem("conflict", "The recording is complete. It accepts no more chunks.", {
      details: `State ${state}`,
    });
  }
}

const maxListedChunks = 100;

function requireComplete(known: readonly RecordingChunk[], total: number): void {
  const missing = missingOf(known, total);
  if (missing.length > 0) {
    const numbers = missing.slice(0, maxListedChunks).join(", ");
    throw problem("conflict", `These chunks are missing: ${numbers}.`, {
      details: `Missing ${numbers}`,
      errors: missing
        .slice(0, maxListedChunks)
        .map((n) => ({ field: `chunks/${n}`, reason: "missing" })),
    });
  }
  if (known.length > total) {
    throw problem("conflict", `There are ${known.length} chunks, not ${total}.`);
  }
}

function missingOf(known: readonly RecordingChunk[], total: number): number[] {
  const numbers = new Set(known.map(({ number }) => number));
  return Array.from({ length: total }, (_, number) => number).filter((n) => !numbers.has(n));
}
