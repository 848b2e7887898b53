/**
 * What may fail, or change by itself, during a call. Each page has a sentence for each of them that
 * can happen on it.
 */
export const roomNotices = [
  /** A message had no answer; it can be sent again. */
  "chat-unsent",
  "chat-refused",
  "screen-failed",
  "photo-failed",
  "file-failed",
  "file-too-large",
  "file-type-refused",
  "end-failed",
  /** The connection is too poor for the picture: only the sound is sent. */
  "audio-only",
  "video-back",
  /** The last part of a recording could not be stored. */
  "recording-incomplete",
  /** The page was reloaded during its recording. */
  "recording-stopped",
  "admit-failed",
  "deny-failed",
  "remove-failed",
  "lock-failed",
] as const;

export type RoomNotice = (typeof roomNotices)[number];
