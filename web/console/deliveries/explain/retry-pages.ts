type Pages = Readonly<{
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<unknown>;
  refetch: () => Promise<unknown>;
}>;

/**
 * Repeats the request of an infinite query that failed. `fetchNextPage` after the last page would
 * only clear the error: the old pages would pass for the result of a failed refetch.
 */
export function retryPages({ isFetchNextPageError, fetchNextPage, refetch }: Pages) {
  return isFetchNextPageError ? fetchNextPage() : refetch();
}
