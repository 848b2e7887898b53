/** Times and lengths as the standard writes them. Pure. */
import { fromWallClock } from "../platform/time-zone.ts";

type TimeGroups = Record<
  "day" | "hour" | "minute" | "second" | "sign" | "ahead",
  string | undefined
>;

const timePattern =
  /^(?<day>\d{8})(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?(?:\.\d{1,4})?(?:(?<sign>[+-])(?<ahead>\d{4}))?$/u;

/** `20261201093000+0100`; without an offset the zone's clock is meant. */
export function parseTime(text: string, timeZone: string): Date | undefined {
  const groups = timePattern.exec(text)?.groups as TimeGroups | undefined;
  const wall = groups && wallClock(groups);
  if (groups === undefined || wall === undefined || wall.getUTCFullYear() < 1970) {
    return undefined;
  }
  return groups.sign === undefined
    ? fromWallClock(timeZone, wall)
    : new Date(wall.getTime() - (offsetOf(groups) ?? 0) * 60_000);
}

/** What the clock shows, as if it were UTC; undefined for a day or hour that there is not. */
function wallClock({ day = "", hour, minute, second = "00" }: TimeGroups): Date | undefined {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour}:${minute}:${second}`;
  const wall = new Date(`${iso}Z`);
  return !Number.isNaN(wall.getTime()) && wall.toISOString().startsWith(iso) ? wall : undefined;
}

/** Minutes that a written offset is ahead of UTC; undefined where it is none. */
function offsetOf({ sign, ahead = "" }: TimeGroups): number | undefined {
  const minutes = Number(ahead.slice(0, 2)) * 60 + Number(ahead.slice(2));
  return sign === "-" ? -minutes : minutes;
}

/** `20261201083000+0000` */
export function formatTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-T:]/gu, "")}+0000`;
}

const unitMinutes: readonly (readonly [RegExp, number])[] = [
  [/^(?:|m|min|mins|minute|minutes)$/iu, 1],
  [/^(?:s|sec|secs|second|seconds)$/iu, 1 / 60],
  [/^(?:h|hr|hrs|hour|hours)$/iu, 60],
];

const maxMinutes = 1_440;

/** Whole minutes, between one and a day; undefined where the text says nothing of that kind. */
export function parseMinutes(length: string, unit: string): number | undefined {
  const factor = unitMinutes.find(([words]) => words.test(unit))?.[1];
  const isNumber = /^\d{1,6}(?:\.\d{1,4})?$/u.test(length);
  const minutes = isNumber && factor !== undefined ? Math.ceil(Number(length) * factor) : 0;
  return minutes >= 1 && minutes <= maxMinutes ? minutes : undefined;
}
