/** Uploads the chunks of one recording in their order, and finishes it after the last one. */
import { backoffMs } from "../../base/backoff.ts";
import type { RoomApi } from "../api.ts";
import { ApiFault } from "../http.ts";
import { realClock, type Clock } from "../repeat.ts";
import type { ChunkStore, PendingRecording } from "./chunk-store.ts";

export type UploadOptions = Readonly<{
  api: Pick<RoomApi, "putChunk" | "finalizeRecording">;
  store: ChunkStore;
  /** Uploads stop at once. */
  isCancelled(): boolean;
  /** The server takes no more for now: somebody present has not agreed. */
  onNoConsent?(): void;
  clock?: Clock;
}>;

/** `done`: the server has all chunks. `refused`: permanently. `cancelled`: another page continues. */
export type UploadOutcome = "done" | "refused" | "cancelled";

const temporaryStatuses = [0, 401, 408, 429, 500, 502, 503, 504];

/** Chunks wait while somebody who joined has neither agreed nor left. */
function isConsentMissing({ details }: ApiFault): boolean {
  return details === "Reason consent";
}

/** Uploads the available chunks of a running recording. */
export async function uploadPending(
  options: UploadOptions,
  recordingId: number,
): Promise<UploadOutcome> {
  const { api, store } = options;
  for (;;) {
    const chunk = await store.next(recordingId);
    if (chunk === undefined) {
      return "done";
    }
    const outcome = await insist(options, () => api.putChunk(recordingId, chunk));
    if (outcome !== "done") {
      return outcome;
    }
    await store.remove(recordingId, chunk.number);
  }
}

/** Uploads the rest, and finishes the recording. */
export async function finishUpload(
  options: UploadOptions,
  { id, chunks }: PendingRecording,
): Promise<UploadOutcome> {
  const uploaded = await uploadPending(options, id);
  const outcome =
    uploaded === "done" && chunks > 0
      ? await insist(options, () => options.api.finalizeRecording(id, chunks))
      : uploaded;
  if (outcome !== "cancelled") {
    await options.store.forget(id);
  }
  return outcome;
}

/** For as long as it takes: without a network, until there is one again. */
async function insist(
  { isCancelled, onNoConsent, clock = realClock }: UploadOptions,
  send: () => Promise<void>,
): Promise<UploadOutcome> {
  for (let failures = 1; !isCancelled(); failures += 1) {
    try {
      await send();
      return "done";
    } catch (thrown) {
      if (!(thrown instanceof ApiFault)) {
        return "refused";
      }
      if (isConsentMissing(thrown)) {
        onNoConsent?.();
      } else if (!temporaryStatuses.includes(thrown.status)) {
        return "refused";
      }
      await clock.wait(backoffMs(failures, { maxMs: 10_000 }));
    }
  }
  return "cancelled";
}

/** After this time without a chunk, a recording counts as abandoned by its page. */
const abandonedMs = 10_000;

/** Finishes what a page of the same person began and could not finish: it was reloaded, or closed. */
export async function finishAbandoned(
  api: RoomApi,
  store: ChunkStore,
  { owner, isCancelled }: Readonly<{ owner: string; isCancelled(): boolean }>,
): Promise<void> {
  for (const recording of await store.list(owner)) {
    if (Date.now() - recording.changedAtMs > abandonedMs) {
      await finishUpload({ api, store, isCancelled }, recording);
    }
  }
}
