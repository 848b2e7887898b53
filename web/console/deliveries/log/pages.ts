/** The pages of the log that were read so far, and what newer answers change in them. Pure. */
import type { InfiniteData } from "@tanstack/react-query";
import type { Delivery } from "../model.ts";

/** `gone`: it matched when the list was read, and does not any more. It stays, so that nothing jumps. */
export type Row = Delivery & { gone?: boolean };

export type LogPage = Readonly<{
  data: readonly Row[];
  next_cursor: string | null;
  examined: number;
  complete: boolean;
}>;

export type LogPages = InfiniteData<LogPage>;

/** The same in all pages, of which `index` is the one that was asked for again. */
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

/** The rows of one page as a later answer to the same question has them; none comes or goes. */
export function refreshPage(page: LogPage, answer: LogPage): LogPage {
  const fresh = new Map(answer.data.map((row) => [row.id, row]));
  const lowest = lowestOf(answer);
  const data = page.data.map((row) => refreshRow(row, fresh, lowest));
  return data.every((row, index) => row === page.data[index]) ? page : { ...page, data };
}

/** How far down a page reaches: below that it says nothing. */
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

/** How many rows of the newest page are above the list, and whether there may be more of them. */
export function countNewer(
  rows: readonly Row[],
  head: LogPage | undefined,
): { count: number; isAll: boolean } {
  const newest = rows[0]?.id ?? 0;
  const count = head?.data.filter(({ id }) => id > newest).length ?? 0;
  return { count, isAll: head === undefined || count < head.data.length };
}

/** Which page a row is on. */
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
