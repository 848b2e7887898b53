/** Parses `since` and `until` as days of an enterprise's calendar. Pure. */
import { dayMs } from "../platform/clock.ts";
import { invalidParameter } from "../contracts/problems.ts";

/** Days as `YYYY-MM-DD`, both inclusive. */
export type DayPeriod = Readonly<{ since: string; until: string }>;

const maxDays = 92;

export function parseDayPeriod(
  query: Readonly<{ since?: string; until?: string }>,
  today: string,
): DayPeriod {
  const since = dayOf("since", query.since, today);
  const until = dayOf("until", query.until, today);
  const days = (parseDay("until", until) - parseDay("since", since)) / dayMs + 1;
  if (days < 1) {
    throw invalidParameter("until", "range", "The period must not end before it starts.");
  }
  if (days > maxDays) {
    throw invalidParameter("until", "range", `A period has at most ${maxDays} days.`);
  }
  return { since, until };
}

/** An empty or absent parameter means today. */
function dayOf(field: "since" | "until", text: string | undefined, today: string): string {
  const day = text === undefined || text.trim() === "" ? today : text.trim();
  parseDay(field, day);
  return day;
}

/** Midnight in UTC, where every day has 24 hours. */
function parseDay(field: "since" | "until", text: string): number {
  const midnight = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // `Date` parses 30 February as 2 March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(text)) {
    throw invalidParameter(field, "format", "The day must have the form YYYY-MM-DD.");
  }
  return midnight;
}

/** Each day of a period, in order. */
export function daysOf({ since, until }: DayPeriod): string[] {
  const first = Date.parse(`${since}T00:00:00Z`);
  const count = (Date.parse(`${until}T00:00:00Z`) - first) / dayMs + 1;
  return Array.from({ length: count }, (_, at) =>
    new Date(first + at * dayMs).toISOString().slice(0, 10),
  );
}

/** The current day in that time zone. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(at);
}
