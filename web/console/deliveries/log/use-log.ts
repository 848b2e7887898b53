import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { api, call } from "../../../base/api.ts";
import { isUnderWay } from "../model.ts";
import { countNewer, refreshPages, type LogPage, type LogPages, type Row } from "./pages.ts";
import { listOf, type LogQuery } from "./search.ts";

const headMs = 5_000;

export type Log = ReturnType<typeof useLog>;

const tailMs = 2_000;

type LogView = Readonly<{
  /** Polls more often. */
  isTail: boolean;
  /** The page on screen. */
  visiblePage: (pages: readonly LogPage[]) => number;
}>;

/**
 * The log as an infinite query: refetches the page on screen in place; counts newer rows and adds
 * them on request.
 */
export function useLog(query: LogQuery, { isTail, visiblePage }: LogView) {
  const queries = useQueryClient();
  const log = useInfiniteQuery(logQuery(query));
  const { data, fetchNextPage } = log;
  const pages = data?.pages;
  const rows = useMemo((): readonly Row[] => pages?.flatMap((page) => page.data) ?? [], [pages]);
  const head = useFreshPage({ query, everyMs: isTail ? tailMs : headMs }, 0, data);
  useFreshPage({ query }, pages === undefined ? 0 : visiblePage(pages), data);

  const showNewer = (): void => {
    if (head !== undefined) {
      queries.setQueryData(logQuery(query).queryKey, { pages: [head], pageParams: [""] });
    }
  };
  const { isPaused, goesOn } = usePassOver(log);

  return {
    rows,
    pages: pages ?? [],
    isLoading: pages === undefined && log.error === null,
    error: log.error,
    retry: () => void (pages === undefined ? log.refetch() : fetchNextPage()),
    hasMore: log.hasNextPage,
    /**
     * The search paused after scanning many deliveries without a match; the user can continue it.
     */
    isPaused,
    isReading: log.isFetchingNextPage || goesOn,
    more: () => void fetchNextPage(),
    examined: (pages ?? []).reduce((sum, page) => sum + page.examined, 0),
    newer: countNewer(rows, pages === undefined ? undefined : head),
    showNewer,
    total: useTotal(query),
  };
}

/** Polls the page on screen and the newest page. */
function useFreshPage(
  { query, everyMs = headMs }: { query: LogQuery; everyMs?: number },
  index: number,
  pages: LogPages | undefined,
) {
  const queries = useQueryClient();
  const param = pages?.pageParams[index];
  const cursor = typeof param === "string" ? param : "";
  const moves = pages?.pages[index]?.data.some(({ status }) => isUnderWay(status)) ?? false;
  const { data } = useQuery({
    queryKey: ["deliveries", "log-now", query, cursor],
    queryFn: () => readPage(query, cursor),
    enabled: pages !== undefined && (index === 0 || moves),
    refetchInterval: everyMs,
    staleTime: everyMs,
  });
  useEffect(() => {
    if (data !== undefined) {
      queries.setQueryData(logQuery(query).queryKey, (known: LogPages | undefined) =>
        refreshPages(known, index, data),
      );
    }
  }, [data, index, queries, query]);
  return data;
}

/** Never refetched as a whole: the cost would grow with the number of loaded pages. */
function logQuery(query: LogQuery) {
  return infiniteQueryOptions({
    queryKey: ["deliveries", "log", query],
    queryFn: ({ pageParam }) => readPage(query, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    staleTime: Infinity,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

const pageSize = 100;

function readPage(query: LogQuery, cursor: string): Promise<LogPage> {
  return call(
    api.GET("/api/webhooks/deliveries", {
      params: { query: { ...query, limit: pageSize, ...(cursor === "" ? {} : { cursor }) } },
    }),
  );
}

/** Number of pages without a match that are skipped automatically; each scans 5,000 deliveries. */
const mostEmptyPages = 20;

type LogResult = UseInfiniteQueryResult<LogPages>;

/** Loads the next page automatically after a page without a match, up to a limit. */
function usePassOver({ data, fetchNextPage, ...log }: LogResult) {
  const pages = data?.pages ?? [];
  const isIdle = log.hasNextPage && !log.isFetchingNextPage && !log.isFetchNextPageError;
  const isEmpty = isIdle && pages.at(-1)?.data.length === 0;
  const goesOn = isEmpty && trailingEmpty(pages) % mostEmptyPages !== 0;
  useEffect(() => {
    if (goesOn) {
      void fetchNextPage();
    }
  }, [goesOn, fetchNextPage, pages.length]);
  return { isPaused: isEmpty && !goesOn, goesOn };
}

function trailingEmpty(pages: readonly LogPage[]): number {
  return pages.length - 1 - pages.findLastIndex(({ data }) => data.length > 0);
}

/** Number of matches, for one webhook only: the API does not count across all. */
function useTotal(query: LogQuery) {
  const webhooks = listOf(query.webhook);
  const { webhook: _one, ...filters } = query;
  const webhookId = webhooks.length === 1 ? Number(webhooks[0]) : undefined;
  const { data } = useQuery({
    queryKey: ["deliveries", "log-total", query],
    queryFn: () =>
      call(
        api.GET("/api/webhooks/{webhookId}/deliveries", {
          params: { path: { webhookId: webhookId ?? 0 }, query: { ...filters, limit: 1 } },
        }),
      ),
    enabled: webhookId !== undefined,
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });
  return webhookId === undefined || data === undefined
    ? undefined
    : { total: data.total, isExact: data.total_exact };
}
