/** Records the call in this page, and uploads it while it grows. */
import type { RoomApi } from "../api.ts";
import type { ChunkStore, PendingRecording } from "./chunk-store.ts";
import { createMix, type Mix, type MixSource } from "./mix.ts";
import { finishUpload, uploadPending, type UploadOptions } from "./uploader.ts";

export type RecorderOptions = Readonly<{
  api: RoomApi;
  store: ChunkStore;
  /** Of the person and room, for a page that finishes what this one could not. */
  owner: string;
  sources(): readonly MixSource[];
  /** The server takes no more for now: somebody present has not agreed. */
  onNoConsent(): void;
  /** It stopped by itself; the recording so far is kept. */
  onFailed(): void;
}>;

/** Everything is ready to record, and nothing is recorded yet. */
export type ReadyRecorder = Readonly<{
  /** Records from now on. */
  start(): CallRecorder;
  /** Nothing will be recorded. */
  discard(): Promise<void>;
}>;

export type CallRecorder = Readonly<{
  /** Nothing is recorded while it is paused. */
  setPaused(isPaused: boolean): void;
  /** Stops, and uploads the rest. Out: whether the server has all of it. */
  stop(): Promise<boolean>;
}>;

/** VP8 is what every browser with WebM records without effort; old Safari has MP4 only. */
const types = ["video/webm;codecs=vp8,opus", "video/webm", "video/mp4"];

const chunkMs = 2_000;

/** While it is paused, no chunk says that this page still records. */
const heartbeatMs = 4_000;

/** Enough for half an hour without a network; limits the use of the device's disk. */
const maxPendingChunks = 1_000;

const bitsPerSecond = { videoBitsPerSecond: 1_500_000, audioBitsPerSecond: 64_000 };

/**
 * Does what takes time, so that the recording can be shown at the moment when it begins. Throws if
 * the browser or the server refuses.
 */
export async function prepareRecorder(options: RecorderOptions): Promise<ReadyRecorder> {
  const type = recordingType();
  if (type === undefined) {
    throw new Error("This browser cannot record.");
  }
  const { api, store, owner } = options;
  const id = await api.startRecording(type);
  await store.begin({ id, owner, chunks: 0, changedAtMs: Date.now() });
  const mix = createMix(options.sources); // last: it runs until it is closed
  const discard = async (): Promise<void> => {
    mix.close();
    await store.forget(id);
  };
  try {
    const recorder = new MediaRecorder(mix.stream, { mimeType: type, ...bitsPerSecond });
    const start = (): CallRecorder => {
      try {
        return record({ ...options, id, mix, recorder });
      } catch (thrown) {
        mix.close(); // nothing else would: the caller gets no recorder to stop
        throw thrown;
      }
    };
    return { start, discard };
  } catch (thrown) {
    await discard();
    throw thrown;
  }
}

type Prepared = RecorderOptions & Readonly<{ id: number; mix: Mix; recorder: MediaRecorder }>;

function record({ id, mix, recorder, ...options }: Prepared): CallRecorder {
  const { api, store, owner, onFailed, onNoConsent } = options;
  let chunks = 0;
  let isEnded = false;
  const present = (): PendingRecording => ({ id, owner, chunks, changedAtMs: Date.now() });
  const upload: UploadOptions = { api, store, isCancelled: () => false, onNoConsent };
  let writing: Promise<unknown> = Promise.resolve();
  let uploading: Promise<unknown> = Promise.resolve();

  const keep = async (number: number, data: Blob): Promise<void> => {
    const pending = await store.add(present(), number, data);
    if (pending > maxPendingChunks) {
      fail();
      return;
    }
    uploading = uploading
      .then(() => uploadPending(upload, id))
      .then((outcome) => {
        if (outcome === "refused") {
          fail();
        }
      });
  };
  const end = (): void => {
    isEnded = true;
    if (recorder.state !== "inactive") {
      recorder.stop();
    }
  };
  const fail = (): void => {
    if (!isEnded) {
      end();
      onFailed();
    }
  };
  recorder.addEventListener("dataavailable", ({ data }) => {
    if (data.size > 0) {
      const number = chunks;
      chunks += 1;
      writing = writing.then(() => keep(number, data)).catch(fail);
    }
  });
  recorder.addEventListener("error", fail); // already inactive
  recorder.addEventListener("stop", fail); // by the browser, unless it was asked to
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener("stop", () => resolve());
  });
  recorder.start(chunkMs);
  const heartbeat = keepCurrent(store, present);

  return {
    setPaused: (isPaused) => {
      if (isPaused && recorder.state === "recording") {
        recorder.pause();
      } else if (!isPaused && recorder.state === "paused") {
        recorder.resume();
      }
    },
    stop: async () => {
      end();
      await stopped;
      mix.close();
      await writing;
      await uploading;
      clearInterval(heartbeat);
      return (await finishUpload(upload, present())) === "done";
    },
  };
}

/** No other page may finish what this one still records. */
function keepCurrent(
  store: ChunkStore,
  present: () => PendingRecording,
): ReturnType<typeof setInterval> {
  return setInterval(() => void store.begin(present()).catch(() => undefined), heartbeatMs);
}

function recordingType(): string | undefined {
  return typeof MediaRecorder === "undefined"
    ? undefined
    : types.find((type) => MediaRecorder.isTypeSupported(type));
}
