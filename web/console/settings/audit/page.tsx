import { auditObjects } from "../../../../src/contracts/audit.ts";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { OneFilter } from "../../../components/choices.tsx";
import { DayFilter } from "../../../components/day-filter.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { FilterBar } from "../../../components/filter-bar.tsx";
import { MoreButton } from "../../../components/more-button.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { ViewMenu } from "../../../components/view-menu.tsx";
import { useSession } from "../../session.ts";
import { useSearchValues } from "../../use-search.ts";
import { AuditPanel } from "./panel.tsx";
import { AuditTable } from "./table.tsx";

/** `open`: id of the entry in the detail pane. */
type AuditSearch = { [Name in "object" | "since" | "until" | "open"]?: string };

/** The audit log. */
export function AuditPage() {
  const { t } = useTranslation("settings");
  const [search, set] = useSearchValues<AuditSearch>();
  const entries = useEntries(search);
  const { entry, isMissing } = useOpened(entries, search.open);
  const rows = entries.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <PageHeader title={t("audit.title")} note={t("audit.note")} />
      <Filters search={search} set={set} />
      {entries.isError ? (
        <ErrorBox error={entries.error} onRetry={() => void entries.refetch()} />
      ) : null}
      {rows?.length === 0 ? (
        <EmptyState icon={IconHistory} title={t("audit.none")} text={t("audit.none_note")} />
      ) : (
        <AuditTable
          rows={rows}
          onOpen={({ id }) => set({ open: String(id) })}
          openId={search.open}
        />
      )}
      {rows === undefined || rows.length === 0 ? null : (
        <MoreButton
          hasMore={entries.hasNextPage}
          isLoading={entries.isFetchingNextPage}
          onMore={() => void entries.fetchNextPage()}
        />
      )}
      <AuditPanel entry={entry} isMissing={isMissing} onClose={() => set({ open: "" })} />
    </>
  );
}

/** Number of pages to search for the entry in the URL. */
const mostPages = 10;

/**
 * The entry in the URL. New entries move it down the list, so further pages are loaded until it is
 * found; `isMissing` if it is not on the first `mostPages`.
 */
function useOpened(entries: ReturnType<typeof useEntries>, open: string | undefined) {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = entries;
  const pages = data?.pages ?? [];
  const entry = pages.flatMap((page) => page.data).find(({ id }) => String(id) === open);
  const isWanted = open !== undefined && entry === undefined && data !== undefined && !isError;
  const goesOn = hasNextPage && pages.length < mostPages;
  const isNextWanted = isWanted && goesOn && !isFetching;
  useEffect(() => {
    if (isNextWanted) {
      void fetchNextPage();
    }
  }, [isNextWanted, fetchNextPage]);
  return { entry, isMissing: isWanted && !goesOn };
}

const pageSize = 50;

function useEntries(search: AuditSearch) {
  const { enterprise } = useSession();
  const { object, since, until } = search;
  return useInfiniteQuery({
    queryKey: ["settings", "audit", enterprise.id, object, since, until],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      call(
        api.GET("/api/enterprises/{enterpriseId}/audit", {
          params: {
            path: { enterpriseId: enterprise.id },
            query: {
              limit: pageSize,
              offset: pageParam,
              ...(isObject(object) ? { object } : {}),
              ...(since === undefined ? {} : { since }),
              ...(until === undefined ? {} : { until }),
            },
          },
        }),
      ),
    getNextPageParam: ({ total }, pages) =>
      pages.length * pageSize < total ? pages.length * pageSize : undefined,
  });
}

type AuditObject = (typeof auditObjects)[number];

function isObject(value: string | undefined): value is AuditObject {
  return auditObjects.some((object) => object === value);
}

type FiltersProps = Readonly<{ search: AuditSearch; set: (change: AuditSearch) => void }>;

const unfiltered = { object: "", since: "", until: "" };

function Filters({ search, set }: FiltersProps) {
  const { t } = useTranslation("settings");
  const { open: _open, ...filters } = search;
  return (
    <FilterBar
      label={t("audit.filters")}
      start={
        <ViewMenu
          list="audit"
          search={filters}
          onChoose={(view) => set({ ...unfiltered, ...view })}
        />
      }
      isFiltered={Object.keys(filters).length > 0}
      onClear={() => set(unfiltered)}
    >
      <OneFilter
        name={t("audit.object")}
        choices={auditObjects.map((value) => ({ value, label: t(`audit.objects.${value}`) }))}
        chosen={search.object}
        onChange={(object = "") => set({ object })}
      />
      <DayFilter
        name={t("audit.period")}
        since={search.since}
        until={search.until}
        onChange={set}
      />
    </FilterBar>
  );
}
