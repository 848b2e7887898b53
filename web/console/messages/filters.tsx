import { MultiSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ages, statusesOf, type MessageSearch } from "./list-search.ts";
import { messageStatuses, type Channel } from "./types.ts";
import classes from "./messages.module.css";

export const Filters = ({ search, channel }: { search: MessageSearch; channel: Channel }) => {
  const { t } = useTranslation("messages");
  const navigate = useNavigate({ from: "/messages" });
  const set = (change: MessageSearch): void =>
    void navigate({
      search: (was) => ({ ...was, ...change, page: undefined }),
      replace: true,
      resetScroll: false,
    });
  const ask = useDebouncedCallback((text: string) => {
    const to = text.trim();
    set({ to: to === "" ? undefined : to });
  }, 300);
  const statuses = statusesOf(search.status);
  return (
    <div className={classes["filters"]} role="search" aria-label={t("filter.name")}>
      <TextInput
        type="search"
        label={t("filter.to")}
        placeholder={t(`filter.to_${channel}`)}
        leftSection={<IconSearch size={15} aria-hidden />}
        defaultValue={search.to ?? ""}
        onChange={(event) => ask(event.currentTarget.value)}
        maxLength={320}
        className={classes["search"] ?? ""}
      />
      <MultiSelect
        label={t("filter.status")}
        placeholder={statuses.length === 0 ? t("filter.any") : ""}
        data={messageStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
        value={statuses}
        onChange={(chosen) => set({ status: chosen.length === 0 ? undefined : chosen.join(",") })}
        clearable
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
    </div>
  );
};
