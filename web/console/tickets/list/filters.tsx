import { useTranslation } from "../../../base/i18n.ts";
import { FilterBar } from "../../../components/filter-bar.tsx";
import { SearchField } from "../../../components/search-field.tsx";
import { SortSelect } from "../../../components/sort-select.tsx";
import { ViewMenu } from "../../../components/view-menu.tsx";
import { useMay } from "../../session.ts";
import { filtersOf, isFiltered, sortNames, unfiltered } from "./list-search.ts";
import {
  AgentFilter,
  PeriodFilter,
  ServiceFilter,
  StateFilter,
  type FilterProps,
} from "./pills.tsx";

/** Filters and sort order of the list. */
export function Filters(props: FilterProps) {
  const { search, set } = props;
  const { t } = useTranslation("tickets");
  const maySeeServices = useMay("services.read");
  return (
    <FilterBar
      label={t("filter.name")}
      search={
        <SearchField
          label={t("filter.search")}
          placeholder={t("filter.search_hint")}
          value={search.q ?? ""}
          onChange={(q) => set({ q })}
          isSmall
        />
      }
      start={
        <ViewMenu
          list="tickets"
          search={filtersOf(search)}
          onChoose={(view) => set({ ...unfiltered, ...view })}
        />
      }
      isFiltered={isFiltered(search)}
      onClear={() => set(unfiltered)}
      end={
        <SortSelect
          label={t("sort.name")}
          sorts={sortNames.map((value) => ({ value, label: t(`sort.${value}`) }))}
          value={search.sort ?? "newest"}
          onChange={(sort) => set({ sort })}
        />
      }
    >
      <StateFilter {...props} />
      <AgentFilter {...props} />
      {maySeeServices ? <ServiceFilter {...props} /> : null}
      <PeriodFilter {...props} />
    </FilterBar>
  );
}
