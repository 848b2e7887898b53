/** Values that mean the same in every operation, as clients write them. Pure. */
import { invalidParameter } from "../contracts/problems.ts";
import { parsePeriodBound, parseStartTime } from "../platform/timestamps.ts";
import { textFormats } from "./fields/formats.ts";

/** `1` and `true`, `0` and `false`, whatever their case. Not given is off. */
export function parseSwitch(field: string, value: boolean | number | string | undefined): boolean {
  const word = String(value ?? false).toLowerCase();
  if (word === "1" || word === "true") {
    return true;
  }
  if (word === "0" || word === "false" || word === "") {
    return false;
  }
  throw invalidParameter(
    field,
    "format",
    `The ${field} field is invalid: it must be true or false (or 1 or 0).`,
  );
}

/** The comma list `scope`, whose only word is `sso`. */
export function parseScope(scope: string | undefined): { wantsSso: boolean } {
  const words = (scope ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.some((word) => word !== "sso")) {
    throw invalidParameter(
      "scope",
      "unknown",
      "The scope field is invalid: the only value is sso.",
    );
  }
  return { wantsSso: words.length > 0 };
}

/** The planned start of something. */
export function parseStart(text: string): Date {
  const start = parseStartTime(text);
  if (start === undefined) {
    throw invalidParameter(
      "startTime",
      "format",
      `The startTime field is invalid: it must be ${textFormats.timestamp.rule}.`,
    );
  }
  return start;
}

export function minutesAfter(start: Date, minutes: number): Date {
  return new Date(start.getTime() + minutes * 60_000);
}

/** A bound of a period, a day or a timestamp. Undefined where none was given. */
export function parseBound(bound: "since" | "until", text: string | undefined): Date | undefined {
  const input = orNull(text);
  if (input === null) {
    return undefined;
  }
  const date = parsePeriodBound(input, bound);
  if (date === undefined) {
    throw invalidParameter(
      bound,
      "format",
      `The ${bound} field is invalid: it must be ${textFormats["period-bound"].rule}.`,
    );
  }
  return date;
}

/** A form sends an empty text for what was left open. */
export function orNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === "" ? null : text;
}

/** The words of a comma list, without what is empty. */
export function splitCommaList(list: string): string[] {
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
