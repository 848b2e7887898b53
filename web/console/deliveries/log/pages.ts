/** The loaded pages of the log, and how refetches update them. Pure. */
import type { InfiniteData } from "@tanstack/react-query";
import type { Delivery } from "../model.ts";

/** `gone`: no longer matches the filter; kept to avoid layout shift. */
export type Row = Delivery & { gone?: boolean };

export type LogPage = Readonly<{
  data: readonly Row[];
  next_cursor: string | null;
  examined: number;
  complete: boolean;
}>;

export type LogPages = InfiniteData<LogPage>;

/** Applies a refetch of page `index` to all pages. */
export function refreshPages(
  pages: LogPages | undefined,
  index: number,
  answer: LogPage,
): LogPages | undefined {
  const page = pages?.pages[index];
  if (pages === undefined || page === undefined) {
    return pages;
  }
  const refreshed = refreshPage(page, answer);
  return refreshed === page ? pages : { ...pages, pages: pages.pages.with(index, refreshed) };
}

/** Updates the rows of a page; no row is added or removed. */
export function refreshPage(page: LogPage, answer: LogPage): LogPage {
  const fresh = new Map(answer.data.map((row) => [row.id, row]));
  const lowest = lowestOf(answer);
  const data = page.data.map((row) => refreshRow(row, fresh, lowest));
  return data.every((row, index) => row === page.data[index]) ? page : { ...page, data };
}

/** The lowest id that the page covers. */
function lowestOf({ data, next_cursor: next }: LogPage): number {
  return next === null ? 0 : (data.at(-1)?.id ?? Infinity);
}

function refreshRow(row: Row, fresh: ReadonlyMap<number, Row>, lowest: number): Row {
  const now = fresh.get(row.id);
  if (now !== undefined) {
    return isSame(row, now) ? row : now;
  }
  return row.id < lowest || row.gone === true ? row : { ...row, gone: true };
}

function isSame(one: Row, other: Row): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Number of rows above the list, and whether there may be more. */
export function countNewer(
  rows: readonly Row[],
  head: LogPage | undefined,
): { count: number; isAll: boolean } {
  const newest = rows[0]?.id ?? 0;
  const count = head?.data.filter(({ id }) => id > newest).length ?? 0;
  return { count, isAll: head === undefined || count < head.data.length };
}

/** The index of the page that contains a row. */
export function pageOfRow(pages: readonly LogPage[], row: number): number {
  let end = 0;
  for (const [index, { data }] of pages.entries()) {
    end += data.length;
    if (row < end) {
      return index;
    }
  }
  return Math.max(0, pages.length - 1);
}
