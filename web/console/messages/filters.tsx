import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { ChoicesFilter, FilterBar, SearchFilter } from "../../components/list-filters.tsx";
import { ages, statusesOf, type MessageSearch } from "./list-search.ts";
import { messageStatuses, type Channel } from "./types.ts";

export const Filters = ({ search, channel }: { search: MessageSearch; channel: Channel }) => {
  const { t } = useTranslation("messages");
  const navigate = useNavigate({ from: "/messages" });
  const set = (change: MessageSearch): void =>
    void navigate({
      search: (was) => ({ ...was, ...change, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  return (
    <FilterBar label={t("filter.name")}>
      <SearchFilter
        label={t("filter.to")}
        placeholder={t(`filter.to_${channel}`)}
        value={search.to}
        maxLength={320}
        onSearch={(to) => set({ to })}
      />
      <ChoicesFilter
        label={t("filter.status")}
        any={t("filter.any")}
        choices={messageStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        chosen={statusesOf(search.status)}
        onChoose={(status) => set({ status })}
      />
      <Select
        label={t("filter.age")}
        data={[
          { value: "", label: t("filter.ever") },
          ...ages.map((value) => ({ value, label: t(`filter.${value}`) })),
        ]}
        value={search.age ?? ""}
        onChange={(chosen) => set({ age: ages.find((age) => age === chosen) })}
      />
    </FilterBar>
  );
};
