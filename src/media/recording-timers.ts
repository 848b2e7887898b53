import type { NewTask } from "../platform/tasks/task.ts";
import type { Media } from "./media.ts";

/** No chunk for so long: the recorder is gone. */
export const silenceMs = 60_000;

/** It may come back for so long. */
export const resumeMs = 24 * 3_600_000;

type Ref = Pick<Media, "id" | "enterpriseId">;

export function silentTask(media: Ref, lastChunkAt: Date): NewTask {
  return taskOf("recording.silent", media, after(lastChunkAt, silenceMs));
}

export function giveUpTask(media: Ref, lastChunkAt: Date): NewTask {
  return taskOf("recording.giveUp", media, after(lastChunkAt, resumeMs));
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

export function remuxTask(media: Ref, at: Date): NewTask {
  return taskOf("media.remux", media, at);
}

function taskOf(kind: NewTask["kind"], { id, enterpriseId }: Ref, dueAt: Date): NewTask {
  return {
    kind,
    key: `media:${id}`,
    enterpriseId,
    dueAt,
    data: { mediaId: id },
  };
}
