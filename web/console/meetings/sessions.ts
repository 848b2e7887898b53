/** How the sessions of a meeting are kept fresh without asking for all of them again. Pure. */
import { isOver, type Meeting, type MeetingSession } from "./types.ts";

/** Newest first; `total`: how many there are, whether they are here or not. */
export type Sessions = Readonly<{ total: number; data: readonly MeetingSession[] }>;

/** As many as are shown: a room that stays open may have had one a day for years. */
export const mostSessions = 100;

/** As many as may have changed, or begun, since they were asked for the last time. */
export const newestSessions = 5;

/** While somebody looks at it, a meeting is asked about again: people come and go. */
export const pollOften = 10_000;

/** After it is over, hardly anything can happen. */
const seldom = 60_000;

/**
 * What is known, with the newest sessions as they are now. Undefined where others may have begun
 * between the two, or ended among those that were not asked for: all are to be asked for then.
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

/** They are what the timeline grows by, until the last one of a meeting that is over has ended. */
export function sessionsEveryMs(
  meeting: Pick<Meeting, "status">,
  sessions: Sessions | undefined,
): number {
  const isQuiet = sessions?.data.every(({ end_time: end }) => end !== null) ?? false;
  return isOver(meeting) && isQuiet ? seldom : 3_000;
}
