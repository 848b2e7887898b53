import { useTranslation } from "../../base/i18n.ts";
import { ManyFilter, OneFilter } from "../../components/choices.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { ViewMenu } from "../../components/view-menu.tsx";
import { ages, filtersOf, isNarrowed, statusesOf, unfiltered } from "./list-search.ts";
import type { MessageSearch } from "./list-search.ts";
import { type Channel, messageStatuses } from "../../../src/contracts/invitations.ts";

type FiltersProps = Readonly<{
  search: MessageSearch;
  channel: Channel;
  /** An empty string clears a filter. */
  set: (change: Readonly<Record<string, string>>) => void;
}>;

export function Filters({ search, channel, set }: FiltersProps) {
  const { t } = useTranslation("messages");
  return (
    <FilterBar
      label={t("filter.name")}
      search={
        <SearchField
          label={t("filter.to")}
          placeholder={t(`filter.to_${channel}`)}
          value={search.to ?? ""}
          maxLength={320}
          onChange={(to) => set({ to })}
          isSmall
        />
      }
      start={
        <ViewMenu
          list={`messages-${channel}`}
          search={filtersOf(search)}
          onChoose={(view) => set({ ...unfiltered, ...view })}
        />
      }
      isFiltered={isNarrowed(search)}
      onClear={() => set(unfiltered)}
    >
      <ManyFilter
        name={t("filter.status")}
        choices={messageStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        chosen={statusesOf(search.status)}
        onChange={(statuses) => set({ status: statuses.join(",") })}
      />
      <OneFilter
        name={t("filter.age")}
        choices={ages.map((value) => ({ value, label: t(`filter.${value}`) }))}
        chosen={search.age}
        onChange={(age = "") => set({ age })}
      />
    </FilterBar>
  );
}
