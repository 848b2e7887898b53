import { ActionIcon, Button, CloseButton, Group, TextInput } from "@mantine/core";
import { IconSearch, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { FilterPill, FilterRow } from "../../../components/filter-pill.tsx";
import {
  AboutFilter,
  EventFilter,
  PeriodFilter,
  ResultFilter,
  StateFilter,
  WebhookFilter,
  type FilterProps,
} from "./filters.tsx";
import { hasFilters, isSameSearch, presets, type LogSearch, type PresetName } from "./search.ts";
import classes from "./filter-bar.module.css";

type FilterBarProps = FilterProps & Readonly<{ onReplace: (search: LogSearch) => void }>;

/** A text of the body, or the id of an event. */
const TextFilter = ({ search, onChange }: FilterProps) => {
  const { t } = useTranslation("deliveries");
  const given = search.eventId ?? search.text ?? "";
  const [text, setText] = useState(given);
  const apply = (next: string): void => {
    const isEvent = /^evt_[A-Za-z0-9_-]{1,60}$/u.test(next);
    const isText = !isEvent && next.length > 1;
    onChange({ eventId: isEvent ? next : undefined, text: isText ? next : undefined });
  };
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply(text.trim());
      }}
    >
      <TextInput
        size="xs"
        value={text}
        maxLength={100}
        aria-label={t("filter.text")}
        placeholder={t("filter.text_hint")}
        onChange={(event) => setText(event.currentTarget.value)}
        leftSection={
          <ActionIcon
            type="submit"
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("base:filter.find")}
          >
            <IconSearch size={14} aria-hidden />
          </ActionIcon>
        }
        rightSection={
          given === "" ? null : (
            <CloseButton
              size="xs"
              aria-label={t("base:filter.remove", { name: t("filter.text") })}
              onClick={() => apply("")}
            />
          )
        }
      />
    </form>
  );
};

const ReplayFilter = ({ search, onChange }: FilterProps) => {
  const { t } = useTranslation("deliveries");
  return search.replay === undefined ? null : (
    <FilterPill
      name={t("filter.replay")}
      value={search.replay}
      onClear={() => onChange({ replay: undefined })}
    >
      {() => t("filter.replay_note")}
    </FilterPill>
  );
};

const Presets = ({ search, onReplace }: Omit<FilterBarProps, "onChange">) => {
  const { t } = useTranslation("deliveries");
  const isAll = !hasFilters(search);
  return (
    <Group gap={4} role="group" aria-label={t("preset.title")}>
      <Button
        size="compact-sm"
        variant={isAll ? "light" : "subtle"}
        color={isAll ? "accent" : "gray"}
        aria-pressed={isAll}
        onClick={() => onReplace({})}
      >
        {t("preset.all")}
      </Button>
      {(Object.keys(presets) as PresetName[]).map((name) => {
        const isOn = isSameSearch(search, presets[name]);
        return (
          <Button
            key={name}
            size="compact-sm"
            variant={isOn ? "light" : "subtle"}
            color={isOn ? "accent" : "gray"}
            aria-pressed={isOn}
            onClick={() => onReplace(presets[name])}
          >
            {t(`preset.${name}`)}
          </Button>
        );
      })}
    </Group>
  );
};

/** All filters of the log in two lines; what is set stands in its pill, and in the address. */
export const FilterBar = ({ search, onChange, onReplace }: FilterBarProps) => {
  const { t } = useTranslation("deliveries");
  const props = { search, onChange };
  return (
    <div className={classes["bar"]} role="group" aria-label={t("filter.title")}>
      <Presets search={search} onReplace={onReplace} />
      <FilterRow search={<TextFilter key={search.eventId ?? search.text} {...props} />}>
        <WebhookFilter {...props} />
        <StateFilter {...props} />
        <ResultFilter {...props} />
        <EventFilter {...props} />
        <AboutFilter {...props} />
        <PeriodFilter {...props} />
        <ReplayFilter {...props} />
        {hasFilters(search) ? (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconX size={12} aria-hidden />}
            onClick={() => onReplace({})}
          >
            {t("filter.clear_all")}
          </Button>
        ) : null}
      </FilterRow>
    </div>
  );
};
