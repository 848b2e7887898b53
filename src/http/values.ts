/** Values that mean the same in every operation, as clients write them. Pure. */
import { invalidParameter } from "../contracts/problems.ts";
import { parsePeriodBound, parseTimestamp } from "../platform/timestamps.ts";

/** A form sends an empty text for what was left open. */
export const orNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null || text === "" ? null : text;

/** `1` and `true`, `0` and `false`, whatever their case. Not given is off. */
export const parseSwitch = (
  field: string,
  value: boolean | number | string | undefined,
): boolean => {
  const word = String(value ?? false).toLowerCase();
  if (word === "1" || word === "true") {
    return true;
  }
  if (word === "0" || word === "false" || word === "") {
    return false;
  }
  throw invalidParameter(field, "format");
};

/** The comma list `scope`, whose only word is `sso`. */
export const parseScope = (scope: string | undefined): { wantsSso: boolean } => {
  const words = (scope ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.some((word) => word !== "sso")) {
    throw invalidParameter("scope", "unknown");
  }
  return { wantsSso: words.length > 0 };
};

/** Years that timestamps show with four digits, whatever a duration adds. */
const isShowable = (date: Date): boolean =>
  date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 9_999;

/** The planned start of something. */
export const parseStart = (text: string): Date => {
  const start = parseTimestamp(text);
  if (start === undefined || !isShowable(start)) {
    throw invalidParameter("startTime", "format");
  }
  return start;
};

export const minutesAfter = (start: Date, minutes: number): Date =>
  new Date(start.getTime() + minutes * 60_000);

/** A bound of a period, a day or a timestamp. Undefined where none was given. */
export const parseBound = (
  bound: "since" | "until",
  text: string | undefined,
): Date | undefined => {
  const given = orNull(text);
  if (given === null) {
    return undefined;
  }
  const date = parsePeriodBound(given, bound);
  if (date === undefined) {
    throw invalidParameter(bound, "format");
  }
  return date;
};
