/** Pages through a period that is longer than the service lists at once. Pure. */
import { addDays } from "./days.ts";
import type { Period } from "./period.ts";

/** Days, both included, and how many sessions of them were read before. */
export type Window = Period & Readonly<{ offset: number }>;

/** The last days of the period: the newest come first. */
export function firstWindow(period: Period): Window {
  return endingOn(period.until, period);
}

/** Where to read on after a page; undefined where the period is read to its beginning. */
export function nextWindow(
  window: Window,
  { period, found, total }: Readonly<{ period: Period; found: number; total: number }>,
): Window | undefined {
  const offset = window.offset + found;
  if (found > 0 && offset < total) {
    return { ...window, offset };
  }
  return window.since > period.since ? endingOn(addDays(window.since, -1), period) : undefined;
}

/** One less than the service takes: a day in which clocks change is longer. */
const windowDays = 30;

function endingOn(until: string, period: Period): Window {
  const first = addDays(until, 1 - windowDays);
  return { since: first > period.since ? first : period.since, until, offset: 0 };
}
