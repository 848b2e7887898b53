/** The same for a nullable column. */
export function toTimestampOrNull(date: Date | null): string | null {
  return date === null ? null : toTimestamp(date);
}

/** The timestamp form of every answer: ISO 8601 in UTC, `+00:00`, no fraction. */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

/** Seconds since the epoch, as the `time` of a webhook and `webhook-timestamp` carry it. */
export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** The planned start of something: a timestamp with an offset, from 1970 on. */
export function parseStartTime(text: string): Date | undefined {
  const start = parseTimestamp(text);
  return start !== undefined && isShowable(start) ? start : undefined;
}

/** Years that timestamps show with four digits, whatever a duration adds. */
function isShowable(date: Date): boolean {
  return date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 9_999;
}

/**
 * A bound of a period: a timestamp, or a date `YYYY-MM-DD`, which is that whole day in UTC.
 * The end of a period is not part of it, so a date as `until` gives the next midnight.
 */
export function parsePeriodBound(text: string, bound: "since" | "until"): Date | undefined {
  const day = text.trim();
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(day)) {
    return toBound(parseTimestamp(text)?.getTime() ?? Number.NaN);
  }
  if (!isCalendarDay(day)) {
    return undefined;
  }
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return toBound(bound === "since" ? midnight : midnight + 86_400_000);
}

/** What is counted from a bound, by days and by offsets, must not leave the years of four digits. */
const firstBound = Date.UTC(100, 0, 1);

const lastBound = Date.UTC(9999, 0, 1);

function toBound(ms: number): Date | undefined {
  return ms >= firstBound && ms <= lastBound ? new Date(ms) : undefined;
}

const isoTimestamp =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+\- ])(\d{2}):?(\d{2}))$/iu;

/**
 * An ISO 8601 timestamp with an offset. A blank stands for the `+` of an offset that a client put
 * into a query without encoding it.
 */
export function parseTimestamp(text: string): Date | undefined {
  const match = isoTimestamp.exec(text.trim());
  const [, day = "", time = "", , sign, hours, minutes] = match ?? [];
  if (match === null || !isCalendarDay(day)) {
    return undefined;
  }
  const offset = sign === undefined ? "Z" : `${sign === "-" ? "-" : "+"}${hours}:${minutes}`;
  const date = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** True for a day that the calendar has: `Date` itself takes 30 February for 2 March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
