import { ActionIcon, CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { FilterBar } from "../../../components/filter-bar.tsx";
import { FilterPill, TogglePill } from "../../../components/filter-pill.tsx";
import { ViewMenu } from "../../../components/view-menu.tsx";
import {
  AboutFilter,
  EventFilter,
  PeriodFilter,
  ResultFilter,
  StateFilter,
  WebhookFilter,
  type FilterProps,
} from "./filters.tsx";
import { hasFilters, presets, readSearch, type LogSearch, type PresetName } from "./search.ts";

type LogFiltersProps = FilterProps & Readonly<{ onReplace: (search: LogSearch) => void }>;

/** The filters of the log; each pill shows its value, and the URL stores it. */
export function LogFilters({ search, onChange, onReplace }: LogFiltersProps) {
  const { t } = useTranslation("deliveries");
  const props = { search, onChange };
  return (
    <FilterBar
      label={t("filter.title")}
      search={<TextFilter key={search.eventId ?? search.text} {...props} />}
      start={
        <ViewMenu
          list="deliveries"
          presets={usePresets()}
          search={search}
          onChoose={(view) => onReplace(readSearch(view))}
        />
      }
      isFiltered={hasFilters(search)}
      onClear={() => onReplace({})}
    >
      <TogglePill
        name={t("filter.failures")}
        isOn={search.failures !== undefined}
        onToggle={() => onChange({ failures: search.failures === undefined ? "1" : undefined })}
      />
      <WebhookFilter {...props} />
      <StateFilter {...props} />
      <ResultFilter {...props} />
      <EventFilter {...props} />
      <AboutFilter {...props} />
      <PeriodFilter {...props} />
      <ReplayFilter {...props} />
    </FilterBar>
  );
}

/** Searches the body, or for an event id. */
function TextFilter({ search, onChange }: FilterProps) {
  const { t } = useTranslation("deliveries");
  const input = search.eventId ?? search.text ?? "";
  const [text, setText] = useState(input);
  const apply = (next: string): void => {
    const isEvent = /^evt_[A-Za-z0-9_-]{1,60}$/u.test(next);
    const isText = !isEvent && next.length > 1;
    onChange({ eventId: isEvent ? next : undefined, text: isText ? next : undefined });
  };
  return (
    <form
      role="search"
      aria-label={t("filter.text")}
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
          input === "" ? null : (
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
}

/** Built-in views. */
function usePresets() {
  const { t } = useTranslation("deliveries");
  return (Object.keys(presets) as PresetName[]).map((name) => ({
    name: t(`preset.${name}`),
    search: presets[name],
  }));
}

function ReplayFilter({ search, onChange }: FilterProps) {
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
}
