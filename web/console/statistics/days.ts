/** Calendar days as `2026-11-20`, which sort chronologically as text. Pure. */

const dayMs = 86_400_000;

/** False for invalid days such as 30 February. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/u.test(text) &&
    !Number.isNaN(utcOf(text)) &&
    dayOfUtc(utcOf(text)) === text
  );
}

/**
 * The calendar day in a time zone. From its parts, because the formats of a locale differ between
 * versions of ICU.
 */
export function dayIn(timeZone: string, at: Date): string {
  return dayOfUtc(at.getTime() + offsetAt(timeZone, at.getTime()));
}

/** Number of days, both included; less than 1 if the end is before the start. */
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

/**
 * The start of a day in a time zone. Where clocks change at midnight: the end of the day before, if
 * there is no midnight, and the first of two.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = utcOf(day);
  const before = offsetAt(timeZone, midnight - dayMs);
  const guess = midnight - before;
  const there = offsetAt(timeZone, guess);
  const other = midnight - there;
  return new Date(there !== before && offsetAt(timeZone, other) === there ? other : guess);
}

function utcOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Offset of a time zone from UTC at this time, in milliseconds. */
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

/** Minimum number of days on the axis. */
const leastDays = 7;

/**
 * Drops the leading days without data, but keeps at least a week; keeps all if there is no data.
 */
export function fromFirst<Day>(days: readonly Day[], isEmpty: (day: Day) => boolean): Day[] {
  const first = days.findIndex((day) => !isEmpty(day));
  const latest = Math.max(0, days.length - leastDays);
  return days.slice(first === -1 ? 0 : Math.min(first, latest));
}

/** The chart's time of a day: its local midnight, in Unix seconds. */
export function chartTime(day: string): number {
  return new Date(`${day}T00:00:00`).getTime() / 1_000;
}
