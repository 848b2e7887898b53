import type { NewTask } from "../platform/tasks/task.ts";
import type { Media } from "./media.ts";

/** No chunk for so long: the recorder is gone. */
export const silenceMs = 60_000;
/** It may come back for so long. */
export const resumeMs = 24 * 3_600_000;

type Ref = Pick<Media, "id" | "enterpriseId">;

const taskOf = (kind: NewTask["kind"], { id, enterpriseId }: Ref, dueAt: Date): NewTask => ({
  kind,
  key: `media:${id}`,
  enterpriseId,
  dueAt,
  data: { mediaId: id },
});

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

export const silentTask = (media: Ref, lastChunkAt: Date): NewTask =>
  taskOf("recording.silent", media, after(lastChunkAt, silenceMs));

export const giveUpTask = (media: Ref, lastChunkAt: Date): NewTask =>
  taskOf("recording.giveUp", media, after(lastChunkAt, resumeMs));

export const remuxTask = (media: Ref, at: Date): NewTask => taskOf("media.remux", media, at);
