import { conferenceStatuses } from "../../../src/contracts/conferences.ts";
import { useTranslation } from "../../base/i18n.ts";
import { ManyFilter, OneFilter } from "../../components/choices.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { SortSelect } from "../../components/sort-select.tsx";
import { ViewMenu } from "../../components/view-menu.tsx";
import { ages, filtersOf, isNarrowed, sorts, statusesOf, unfiltered } from "./list-search.ts";
import type { MeetingSearch } from "./list-search.ts";

type FiltersProps = Readonly<{
  search: MeetingSearch;
  /** An empty string clears a filter. */
  set: (change: Readonly<Record<string, string>>) => void;
}>;

/** Filters and sort order of the list. */
export function Filters({ search, set }: FiltersProps) {
  const { t } = useTranslation("meetings");
  return (
    <FilterBar
      label={t("filter.name")}
      search={
        <SearchField
          label={t("filter.search")}
          placeholder={t("filter.search_hint")}
          value={search.q ?? ""}
          maxLength={255}
          onChange={(q) => set({ q })}
          isSmall
        />
      }
      start={
        <ViewMenu
          list="meetings"
          search={filtersOf(search)}
          onChoose={(view) => set({ ...unfiltered, ...view })}
        />
      }
      isFiltered={isNarrowed(search)}
      onClear={() => set(unfiltered)}
      end={
        <SortSelect
          label={t("filter.sort")}
          sorts={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
          value={search.sort ?? "start"}
          onChange={(sort) => set({ sort })}
        />
      }
    >
      <ManyFilter
        name={t("filter.status")}
        choices={conferenceStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        chosen={statusesOf(search.status)}
        onChange={(statuses) => set({ status: statuses.join(",") })}
      />
      <OneFilter
        name={t("filter.created")}
        choices={ages.map((value) => ({ value, label: t(`filter.${value}`) }))}
        chosen={search.created}
        onChange={(created = "") => set({ created })}
      />
    </FilterBar>
  );
}
