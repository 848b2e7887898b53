/** Tasks of recordings: silence, giving up, and building the file. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type {
  RunningTask,
  TaskHandler,
  TaskHandlers,
  TaskOutcome,
  NewTask,
} from "../platform/tasks/task.ts";
import { fileKey, type Media, type MediaDeps, mediaUpdated } from "./model.ts";
import {
  chunkKey,
  findRecording,
  listChunks,
  lockRecording,
  type RecordingChunk,
  type Recording,
} from "./recording-store.ts";
import type { RecordingType } from "./remux.ts";
import { remuxInProcess } from "./remux-engine.ts";
import { reopenCleanup, updateMedia, type MediaUpdate } from "./store.ts";

const done: TaskOutcome = { kind: "done" };

/** Time without a chunk after which the recorder counts as gone. */
export const silenceMs = 60_000;

/** Time in which the recorder may resume. */
const resumeWithinMs = 24 * 3_600_000;

type MediaTaskRef = Pick<Media, "id" | "enterpriseId">;

export function createRecordingTasks(deps: MediaDeps): TaskHandlers {
  return {
    "recording.silent": createSilenceHandler(deps),
    "recording.giveUp": createAbandonHandler(deps),
    "media.remux": createRemuxHandler(deps),
  };
}

/** The recorder is gone: builds a playable file of the chunks received so far. */
function createSilenceHandler(deps: MediaDeps): TaskHandler {
  const { db, clock, tasks } = deps;
  const updateRecording = createRecordingUpdate(deps);
  return (task) =>
    inTransaction(db, async (trx): Promise<TaskOutcome> => {
      const recording = await lockRecording(trx, refOf(task));
      if (recording?.state !== "inprogress" || recording.chunksTotal !== null) {
        return done;
      }
      const at = clock.now();
      const dueAt = dueAfter(recording, silenceMs);
      if (dueAt > at) {
        return { kind: "again", dueAt, reason: "chunks came" };
      }
      await updateRecording(trx, recording, { at, state: "uncompleted" });
      await tasks.plan(trx, [
        abandonTask(recording, recording.lastChunkAt),
        ...(recording.receivedBytes > 0 ? [remuxTask(recording, at)] : []),
      ]);
      return done;
    });
}

export function abandonTask(media: MediaTaskRef, lastChunkAt: Date): NewTask {
  return taskOf("recording.giveUp", media, after(lastChunkAt, resumeWithinMs));
}

export function remuxTask(media: MediaTaskRef, at: Date): NewTask {
  return taskOf("media.remux", media, at);
}

/** The recorder did not resume, or no file could be built in time: gives up. */
function createAbandonHandler(deps: MediaDeps): TaskHandler {
  const { db, clock } = deps;
  const updateRecording = createRecordingUpdate(deps);
  return (task) =>
    inTransaction(db, async (trx): Promise<TaskOutcome> => {
      const recording = await lockRecording(trx, refOf(task));
      if (recording === undefined || recording.closedAt !== null) {
        return done;
      }
      const isWaiting = recording.state === "uncompleted" || recording.chunksTotal !== null;
      if (!isWaiting) {
        return done;
      }
      const at = clock.now();
      const dueAt = dueAfter(recording, resumeWithinMs);
      if (dueAt > at) {
        return { kind: "again", dueAt, reason: "chunks came" };
      }
      if (recording.state === "uncompleted" && recording.bytes > 0) {
        await updateMedia(trx, recording, { at, isClosed: true });
      } else {
        const error = "No usable data came";
        await updateRecording(trx, recording, { at, state: "error", error, isClosed: true });
      }
      return done;
    });
}

function dueAfter({ lastChunkAt }: Recording, ms: number): Date {
  return new Date(lastChunkAt.getTime() + ms);
}

function createRemuxHandler(deps: MediaDeps): TaskHandler {
  const { db, clock, blobs } = deps;
  const updateRecording = createRecordingUpdate(deps);

  const concatenate = createConcatenate(deps);

  /** Complete and partial recordings have different blob keys. */
  const stateOf = ({ chunksTotal }: Recording) =>
    chunksTotal === null ? ("uncompleted" as const) : ("completed" as const);

  /** Returns the size of the stored file; undefined if the chunks are unusable. */
  const store = async (recording: Recording, signal: AbortSignal): Promise<number | undefined> => {
    const folder = await mkdtemp(join(tmpdir(), "sightline-recording-"));
    try {
      const from = join(folder, "chunks");
      const to = join(folder, "file");
      if (!(await concatenate(recording, from, signal))) {
        return undefined;
      }
      const type = recording.mimeType as RecordingType;
      if (!(await remuxInProcess({ from, to, type }, signal))) {
        return undefined;
      }
      const { size } = await stat(to);
      await blobs.put(fileKey({ ...recording, state: stateOf(recording) }), { path: to });
      return size;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  const finish = (recording: Recording, bytes: number | undefined): Promise<void> =>
    inTransaction(db, async (trx) => {
      const now = await lockRecording(trx, recording);
      const isSame = now?.state === recording.state && now.chunksTotal === recording.chunksTotal;
      if (now === undefined || !isSame || now.closedAt !== null) {
        return; // recording was resumed: another task builds the file
      }
      const at = clock.now();
      if (now.chunksTotal === null) {
        await (bytes === undefined ? undefined : updateMedia(trx, now, { at, bytes }));
      } else if (bytes === undefined) {
        const error = "The recording could not be read";
        await updateRecording(trx, now, { at, state: "error", error, isClosed: true });
      } else {
        await updateRecording(trx, now, { at, state: "completed", bytes, isClosed: true });
      }
    });

  /** Stores the file before the row is updated: a worker that dies in between repeats the step. */
  return async (task, signal) => {
    const recording = await findRecording(db, refOf(task));
    if (recording === undefined) {
      await reopenCleanup(db, refOf(task));
      return done;
    }
    if (recording.closedAt !== null) {
      return done;
    }
    if (recording.chunksTotal === null && recording.state !== "uncompleted") {
      return done;
    }
    const bytes = await store(recording, signal);
    await finish(recording, bytes);
    await reopenCleanup(db, recording);
    return done;
  };
}

/** Updates the recording and appends its event. */
function createRecordingUpdate({ outbox }: MediaDeps) {
  return async (trx: Trx, recording: Recording, update: MediaUpdate): Promise<void> => {
    await outbox.append(trx, [mediaUpdated(await updateMedia(trx, recording, update))]);
  };
}

/** Concatenates the chunks to one file. False if there are none: the first may still be on its way. */
function createConcatenate({ db, blobs }: MediaDeps) {
  return async (recording: Recording, to: string, signal: AbortSignal): Promise<boolean> => {
    const chunks = contiguous(await listChunks(db, recording.id));
    for (const chunk of chunks) {
      signal.throwIfAborted();
      const blob = await blobs.open(chunkKey(recording.hash, chunk));
      if (blob === undefined) {
        throw new Error(`Chunk ${chunk.number} of recording ${recording.id} has no bytes`);
      }
      await pipeline(blob.stream, createWriteStream(to, { flags: "a", mode: 0o600 }), { signal });
    }
    return chunks.length > 0;
  };
}

/** The chunks before the first gap. */
function contiguous(chunks: readonly RecordingChunk[]): RecordingChunk[] {
  return chunks.filter(({ number }, index) => number === index);
}

function refOf({ enterpriseId, data }: RunningTask) {
  return {
    enterpriseId,
    id: Number(data["mediaId"]),
  };
}

export function silenceTask(media: MediaTaskRef, lastChunkAt: Date): NewTask {
  return taskOf("recording.silent", media, after(lastChunkAt, silenceMs));
}

function taskOf(kind: NewTask["kind"], { id, enterpriseId }: MediaTaskRef, dueAt: Date): NewTask {
  return {
    kind,
    key: `media:${id}`,
    enterpriseId,
    dueAt,
    data: { mediaId: id },
  };
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
