/** Times in the reader's time zone, as text and for inputs. */
import { formatShort } from "../../base/format.ts";
import { toBound } from "./log/search.ts";

/** The time if it is today, otherwise day and time. */
export function shortTime(at: string): string {
  return formatShort(new Date(at), new Date());
}

/** The value for a `datetime-local` input; empty if invalid. */
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
