/** Sessions → what is told of a period, and of each of its days. Pure. */
import { dayIn } from "./days.ts";
import type { SessionRow } from "./queries.ts";

export type SessionFigures = Readonly<{
  sessions: number;
  participants: number;
  /** Billed minutes: each session's are rounded up by the service. */
  minutes: number;
  /** From the first who came to the last who left, of all sessions, in milliseconds. */
  lengthMs: number;
}>;

type Counted = Pick<
  SessionRow,
  "start_time" | "end_time" | "billing_duration" | "total_participant_count"
>;

export const figuresOfSessions = (rows: readonly Counted[]): SessionFigures => ({
  sessions: rows.length,
  participants: rows.reduce((sum, row) => sum + row.total_participant_count, 0),
  minutes: rows.reduce((sum, row) => sum + row.billing_duration, 0) / 60,
  lengthMs: rows.reduce(
    (sum, row) => sum + Date.parse(row.end_time) - Date.parse(row.start_time),
    0,
  ),
});

/** A session belongs to the day on which it ended, by a clock of that time zone. */
export const figuresByDay = (
  rows: readonly Counted[],
  days: readonly string[],
  timeZone: string,
): SessionFigures[] => {
  const byDay = new Map<string, Counted[]>(days.map((day) => [day, []]));
  for (const row of rows) {
    byDay.get(dayIn(timeZone, new Date(row.end_time)))?.push(row);
  }
  return days.map((day) => figuresOfSessions(byDay.get(day) ?? []));
};
