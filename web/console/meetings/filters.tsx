import { MultiSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ages, sorts, statusesOf, type MeetingSearch } from "./list-search.ts";
import { meetingStatuses } from "./types.ts";
import classes from "./meetings.module.css";

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
  const ask = useDebouncedCallback((text: string) => {
    const q = text.trim();
    set({ q: q === "" ? undefined : q });
  }, 300);
  const statuses = statusesOf(search.status);
  return (
    <div className={classes["filters"]} role="search" aria-label={t("filter.name")}>
      <TextInput
        type="search"
        label={t("filter.search")}
        placeholder={t("filter.search_hint")}
        leftSection={<IconSearch size={15} aria-hidden />}
        defaultValue={search.q ?? ""}
        onChange={(event) => ask(event.currentTarget.value)}
        maxLength={255}
        className={classes["search"] ?? ""}
      />
      <MultiSelect
        label={t("filter.status")}
        placeholder={statuses.length === 0 ? t("filter.any") : ""}
        data={meetingStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        value={statuses}
        onChange={(chosen) => set({ status: chosen.length === 0 ? undefined : chosen.join(",") })}
        clearable
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
    </div>
  );
};
