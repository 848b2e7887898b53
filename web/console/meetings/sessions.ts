/** Incremental refetch of a meeting's sessions. Pure. */
import { isOver, type Meeting, type MeetingSession } from "./types.ts";

/** Newest first; `total` includes sessions that are not loaded. */
export type Sessions = Readonly<{ total: number; data: readonly MeetingSession[] }>;

/** Limit of the list: a permanent room may have had one session a day for years. */
export const mostSessions = 100;

/** Number of sessions that may have started or changed since the last fetch. */
export const newestSessions = 5;

/** Polling interval of an open meeting. */
export const pollOften = 10_000;

/** Polling interval after the end. */
const seldom = 60_000;

/**
 * Merges the newest sessions into the known ones. undefined if there may be a gap, or an unfetched
 * session may have ended: a full fetch is needed.
 */
export function mergeNewest(known: Sessions, newest: Sessions): Sessions | undefined {
  if (newest.data.length === newest.total) {
    return newest;
  }
  const fresh = new Set(newest.data.map(({ id }) => id));
  const rest = known.data.filter(({ id }) => !fresh.has(id));
  const meets = rest.length < known.data.length;
  const isSettled = rest.every(({ end_time: end }) => end !== null);
  return meets && isSettled
    ? { total: newest.total, data: [...newest.data, ...rest].slice(0, mostSessions) }
    : undefined;
}

export function everyMs(meeting: Pick<Meeting, "status"> | undefined): number {
  return meeting !== undefined && isOver(meeting) ? seldom : pollOften;
}

/**
 * Sessions feed the timeline, so they are polled until the last session of an ended meeting has
 * ended.
 */
export function sessionsEveryMs(
  meeting: Pick<Meeting, "status">,
  sessions: Sessions | undefined,
): number {
  const isQuiet = sessions?.data.every(({ end_time: end }) => end !== null) ?? false;
  return isOver(meeting) && isQuiet ? seldom : 3_000;
}
