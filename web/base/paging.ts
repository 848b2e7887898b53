/** Pagination of lists, between URL and API. Pure. */

/** Default page size. */
export const pageSize = 50;

/** The API's query parameters for a page. */
export function pageQuery(page: string | undefined, size = pageSize) {
  return {
    limit: size,
    offset: (pageOf(page) - 1) * size,
  };
}

/** The page number in a URL, from 1; defaults to the first page. */
export function pageOf(page: string | undefined): number {
  const number = Number(page ?? "1");
  return Number.isInteger(number) && number >= 1 && number <= 1_000_000 ? number : 1;
}

/** Whether the page has no entries now; one that is read again may be from before a change. */
export function isEmptyPage({
  data,
  isFetching,
}: Readonly<{
  data: Readonly<{ data: readonly unknown[] }> | undefined;
  isFetching: boolean;
}>): boolean {
  return data?.data.length === 0 && !isFetching;
}
