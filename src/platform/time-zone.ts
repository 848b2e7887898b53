/** Wall clocks of time zones, by the data that Node ships. Pure. */

const minuteMs = 60_000;

/**
 * The moment at which the zone's clock shows what `wall` shows in UTC. An hour that a change of
 * the clock skips is taken as the hour after it; of one that comes twice, the first is meant.
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

/** How far the zone's clock is ahead of UTC at that moment. */
export function offsetMinutes(zone: string, at: Date): number {
  return Math.round((wallClockMs(zone, at) - Math.floor(at.getTime() / 1000) * 1000) / minuteMs);
}

/** What the wall clock shows, as if it were UTC. */
function wallClockMs(zone: string, at: Date): number {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** One formatter per zone: making one costs far more than using it. */
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

/** Names of the time zone database only: an offset would be wrong in half of the year. */
export function isTimeZone(name: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone !== "" && /^[A-Za-z]/u.test(name);
  } catch {
    return false;
  }
}
