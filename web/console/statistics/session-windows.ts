/** Paginates a period that is longer than the API's limit. Pure. */
import { addDays } from "./days.ts";
import type { Period } from "./period.ts";
import type { SessionRow } from "./session-figures.ts";

/** Days, both included, and the offset within them. */
export type Window = Period & Readonly<{ offset: number }>;

/** The last days of the period, because the newest sessions come first. */
export function firstWindow(period: Period): Window {
  return endingOn(period.until, period);
}

/** The next page; undefined at the start of the period. */
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

/** One less than the API's limit, because of days with a clock change. */
const windowDays = 30;

function endingOn(until: string, period: Period): Window {
  const first = addDays(until, 1 - windowDays);
  return { since: first > period.since ? first : period.since, until, offset: 0 };
}

/** The rows of all pages: a session that ended between two requests moves the last one to the next page. */
export function rowsOfPages(
  pages: readonly Readonly<{ data: readonly SessionRow[] }>[],
): SessionRow[] {
  const all = pages.flatMap(({ data }) => data);
  return [...new Map(all.map((session) => [session.id, session])).values()];
}
