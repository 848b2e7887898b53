/** What the two parts of a walk have in common. */
import type { ReplayCandidateRow } from "../../pipeline/ledger/queries/replayable-deliveries.ts";
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
  /** Deliveries of older events may be deleted: whether they existed is unknown. */
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

/** Rows that are read, and rows that are returned of those that match: at most. */
export type ChunkLimits = { scanLimit: number; matchLimit: number };

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

/** Where to go on: after the last match, after what was scanned, or with what comes `after`. */
export function nextOf(
  place: WalkPosition,
  { isCutOff, last, cut }: { isCutOff: boolean; last: number; cut: number | undefined },
  after: WalkPosition,
): WalkPosition {
  if (cut !== undefined) {
    return { ...place, position: cut };
  }
  return isCutOff ? { ...place, position: last } : after;
}
