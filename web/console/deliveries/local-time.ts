/** Times as people read and write them, in their own zone. */
import { formatShort } from "../../base/format.ts";
import { toBound } from "./log/search.ts";

/** A time of today, or a day with its time. */
export function shortTime(at: string): string {
  return formatShort(new Date(at), new Date());
}

/** As a `datetime-local` box has it; empty for what is no time. */
export function toLocal(bound: string | undefined): string {
  const at = new Date(bound ?? "");
  if (Number.isNaN(at.getTime())) {
    return "";
  }
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function fromLocal(text: string): string | undefined {
  return text === "" ? undefined : toBound(new Date(text));
}
