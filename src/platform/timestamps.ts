/** Parses and formats timestamps and the wall-clock times of time zones. Pure. */
import { minuteMs } from "./clock.ts";

/** As `toTimestamp`, for a nullable column. */
export function toTimestampOrNull(date: Date | null): string | null {
  return date === null ? null : toTimestamp(date);
}

/** The timestamp format of the API: ISO 8601 in UTC, `+00:00`, no fraction. */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

/** Seconds since the epoch, for the `time` of a webhook and `webhook-timestamp`. */
export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Parses a planned start: a timestamp with an offset, from 1970 on. */
export function parseStartTime(text: string): Date | undefined {
  const start = parseTimestamp(text);
  return start !== undefined && isShowable(start) ? start : undefined;
}

/** Whether the year has four digits in any output, even after adding a duration. */
export function isShowable(date: Date): boolean {
  return date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 9_999;
}

/**
 * Parses a bound of a period: a timestamp, or a date `YYYY-MM-DD`, which is the whole day in UTC.
 * Periods exclude their end, so a date as `until` is the next midnight.
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

/** Bounds of years with four digits, even after adding days and offsets. */
const firstBound = Date.UTC(100, 0, 1);

const lastBound = Date.UTC(9999, 0, 1);

function toBound(ms: number): Date | undefined {
  return ms >= firstBound && ms <= lastBound ? new Date(ms) : undefined;
}

const isoTimestamp =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+\- ])(\d{2}):?(\d{2}))$/iu;

/**
 * Parses an ISO 8601 timestamp with an offset. A blank before the offset counts as `+`, which
 * clients often forget to encode in a query.
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

/** Rejects days like 30 February, which `Date` turns into 2 March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/**
 * The time at which the wall clock of the zone shows `wall` (in UTC). An hour skipped by daylight
 * saving counts as the hour after it; of an hour that occurs twice, the first is used.
 */
export function fromWallClock(zone: string, wall: Date): Date {
  const before = offsetMinutes(zone, new Date(wall.getTime() - 86_400_000));
  const guess = new Date(wall.getTime() - before * minuteMs);
  const there = offsetMinutes(zone, guess);
  if (there === before) {
    return guess;
  }
  const second = new Date(wall.getTime() - there * minuteMs);
  return offsetMinutes(zone, second) === there ? second : guess;
}

/** `2026-11-20 11:30:00 (GMT +01:00)` */
export function showWallClock(zone: string, at: Date): string {
  const offset = offsetMinutes(zone, at);
  const wall = new Date(wallClockMs(zone, at)).toISOString().slice(0, 19).replace("T", " ");
  const ahead = Math.abs(offset);
  const sign = offset < 0 ? "-" : "+";
  return `${wall} (GMT ${sign}${twoDigits(Math.floor(ahead / 60))}:${twoDigits(ahead % 60)})`;
}

/** The calendar day of the zone: `2026-11-20`. */
export function dayIn(zone: string, at: Date): string {
  return new Date(wallClockMs(zone, at)).toISOString().slice(0, 10);
}

/** The offset of the zone from UTC at that time. */
export function offsetMinutes(zone: string, at: Date): number {
  return Math.round((wallClockMs(zone, at) - Math.floor(at.getTime() / 1000) * 1000) / minuteMs);
}

/** The wall-clock time of the zone, as if it were UTC. */
function wallClockMs(zone: string, at: Date): number {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Memoized per zone: creating a formatter is expensive. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formatters.set(zone, made);
  return made;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Postgres takes names such as CET for a fixed offset. The others are zones. */
const abbreviation = /^(?!GMT|PRC|ROC|ROK|UCT|UTC)[A-Z]{3}$/iu;

/**
 * Accepts names of the time zone database, such as `Europe/Paris`, without abbreviations: a fixed offset
 * would be wrong for half of the year.
 */
export function isTimeZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone !== "" && /^[A-Za-z]/u.test(name) && !abbreviation.test(name);
  } catch {
    return false;
  }
}
