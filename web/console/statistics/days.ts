/** Days of a calendar as `2026-11-20`: sorted as text they are sorted in time. Pure. */

const dayMs = 86_400_000;

/** False for what is no day, like 30 February. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/u.test(text) &&
    !Number.isNaN(utcOf(text)) &&
    dayOfUtc(utcOf(text)) === text
  );
}

/** The day on a clock of that time zone. */
export function dayIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("en-CA", {
    timeZone,
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
  }).format(at);
}

/** How many days there are, both included; less than 1 where the end comes first. */
export function countDays(since: string, until: string): number {
  return (utcOf(until) - utcOf(since)) / dayMs + 1;
}

/** The Monday of that week. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(utcOf(day)).getUTCDay() + 6) % 7));
}

export function addDays(day: string, days: number): string {
  return dayOfUtc(utcOf(day) + days * dayMs);
}

function dayOfUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The moment at which a day begins on a clock of that time zone. */
export function startOfDay(day: string, timeZone: string): Date {
  const guess = utcOf(day) - offsetAt(timeZone, utcOf(day));
  return new Date(utcOf(day) - offsetAt(timeZone, guess));
}

function utcOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** How far a clock of that time zone is ahead of UTC at this moment, in milliseconds. */
function offsetAt(timeZone: string, ms: number): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  }).formatToParts(ms);
  const part = (name: string): number =>
    Number(parts.find(({ type }) => type === name)?.value ?? "0");
  const shown = Date.UTC(
    ...([part("year"), part("month") - 1, part("day")] as const),
    ...([part("hour"), part("minute"), part("second")] as const),
  );
  return shown - ms;
}

/** Fewer days than that look lost on an axis. */
const leastDays = 7;

/**
 * The days from the first on which something happened: an axis that begins weeks before says
 * nothing. At least a week, or all there are; all of them where nothing happened.
 */
export function fromFirst<Day>(days: readonly Day[], isEmpty: (day: Day) => boolean): Day[] {
  const first = days.findIndex((day) => !isEmpty(day));
  const latest = Math.max(0, days.length - leastDays);
  return days.slice(first === -1 ? 0 : Math.min(first, latest));
}

/** A day as a chart takes it: its midnight where the reader is, in Unix seconds. */
export function chartTime(day: string): number {
  return new Date(`${day}T00:00:00`).getTime() / 1_000;
}
