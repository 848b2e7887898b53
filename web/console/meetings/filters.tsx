import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { ChoicesFilter, FilterBar, SearchFilter } from "../../components/list-filters.tsx";
import { ages, sorts, statusesOf, type MeetingSearch } from "./list-search.ts";
import { meetingStatuses } from "./types.ts";

/** What the list shows, and in which order; kept in the address. */
export const Filters = ({ search }: { search: MeetingSearch }) => {
  const { t } = useTranslation("meetings");
  const navigate = useNavigate({ from: "/meetings" });
  const set = (change: MeetingSearch): void =>
    void navigate({
      search: (was) => ({ ...was, ...change, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <FilterBar label={t("filter.name")}>
      <SearchFilter
        label={t("filter.search")}
        placeholder={t("filter.search_hint")}
        value={search.q}
        maxLength={255}
        onSearch={(q) => set({ q })}
      />
      <ChoicesFilter
        label={t("filter.status")}
        any={t("filter.any")}
        choices={meetingStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        chosen={statusesOf(search.status)}
        onChoose={(status) => set({ status })}
      />
      <Select
        label={t("filter.created")}
        data={[
          { value: "", label: t("filter.ever") },
          ...ages.map((value) => ({ value, label: t(`filter.${value}`) })),
        ]}
        value={search.created ?? ""}
        onChange={(chosen) => set({ created: ages.find((age) => age === chosen) })}
      />
      <Select
        label={t("filter.sort")}
        data={sorts.map((value) => ({ value, label: t(`sort.${value}`) }))}
        value={search.sort ?? "start"}
        onChange={(chosen) => set({ sort: sorts.find((sort) => sort === chosen) })}
      />
    </FilterBar>
  );
};
