/** What the two parts of a walk have in common. */
import type { WalkPosition, Replay } from "./model.ts";

/** What of a replay a walk has to know. */
export type ReplayScope = Pick<
  Replay,
  | "enterpriseId"
  | "subscriptionId"
  | "criteria"
  | "matching"
  | "lastSequence"
  | "lastEventRowId"
  | "created"
> & {
  /** Deliveries of older events may be deleted: nobody can say that they never were. */
  logSince: Date;
};

export type ReplayCandidate = {
  eventRowId: number;
  eventAt: Date;
  object: string;
  key: string;
  replayOf: number | null;
  /** Null where the event is no longer kept. */
  eventId: string | null;
  /** Whether there is still something to send: the event is there, and its content. */
  isKept: boolean;
};

export type ReplayChunk = { found: ReplayCandidate[]; next: WalkPosition };

/** `looked` rows are read at most, `taken` of those that match. */
export type ChunkLimits = { looked: number; taken: number };

/** A row of either walk: `looked` and `last` say how far it read; `cursor` is null in a row that holds no more. */
export type ReplayCandidateRow = {
  looked: number;
  last: number | null;
  cursor: number | null;
  event_id: number;
  event_at: Date;
  object: string;
  key: string;
  replay_of: number | null;
  message_id: string | null;
  is_kept: boolean;
};

export function toReplayCandidate(row: ReplayCandidateRow): ReplayCandidate {
  return {
    eventRowId: row.event_id,
    eventAt: row.event_at,
    object: row.object,
    key: row.key,
    replayOf: row.replay_of,
    eventId: row.message_id,
    isKept: row.is_kept,
  };
}

/** Where to go on: after what was taken last, after what was read, or with what comes `after`. */
export function nextOf(
  place: WalkPosition,
  { looked, last, cut }: { looked: boolean; last: number; cut: number | undefined },
  after: WalkPosition,
): WalkPosition {
  if (cut !== undefined) {
    return { ...place, position: cut };
  }
  return looked ? { ...place, position: last } : after;
}
