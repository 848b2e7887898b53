/** The filters of the log with their dropdowns. */
import { serviceKinds } from "../../../../src/contracts/events.ts";
import { NativeSelect, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { attemptResults, deliveryStates } from "../../../../src/contracts/deliveries.ts";
import { useTranslation } from "../../../base/i18n.ts";

import { DateRangeField } from "../../../components/date-range-field.tsx";
import type { Choice } from "../../../components/choice.ts";
import { ManyFilter, One } from "../../../components/choices.tsx";
import { FilterPill } from "../../../components/filter-pill.tsx";
import { useProblemText } from "../../../components/problem-text.ts";
import { findTickets } from "../find-tickets.ts";
import { fromLocal, shortTime, toLocal } from "../local-time.ts";
import { eventTypesQuery, webhooksQuery } from "../queries.ts";
import { useWords } from "../labels.ts";
import {
  chooseAction,
  isPeriod,
  listOf,
  periods,
  type LogChange,
  type LogSearch,
} from "./search.ts";
import { TextChoice } from "./text-choice.tsx";

export type FilterProps = Readonly<{
  search: LogSearch;
  /** Sets these filters and keeps the others. */
  onChange: (change: LogChange) => void;
}>;

export function WebhookFilter(props: FilterProps) {
  const { data } = useQuery(webhooksQuery);
  const choices = (data?.data ?? []).map(({ id, name }) => plain(String(id), name));
  return <ListFilter {...props} by="webhook" choices={choices} />;
}

export function StateFilter(props: FilterProps) {
  const { state } = useWords();
  const choices = deliveryStates.map((one) => plain(one, state(one)));
  return <ListFilter {...props} by="status" choices={choices} />;
}

export function ResultFilter(props: FilterProps) {
  const { resultClass } = useWords();
  const choices = attemptResults.map((one) => plain(one, resultClass(one)));
  return <ListFilter {...props} by="result" choices={choices} />;
}

type ListFilterProps = FilterProps &
  Readonly<{ by: "webhook" | "status" | "result"; choices: readonly Choice[] }>;

function ListFilter({ search, onChange, by, choices }: ListFilterProps) {
  const { t } = useTranslation("deliveries");
  return (
    <ManyFilter
      name={t(`filter.${by}`)}
      choices={choices}
      chosen={listOf(search[by])}
      onChange={(chosen) => onChange({ [by]: joined(chosen) })}
    />
  );
}

function joined(chosen: readonly string[]): string | undefined {
  return chosen.length === 0 ? undefined : chosen.join(",");
}

/** Filters by timeline entry type, or by action on an object. */
export function EventFilter({ search, onChange }: FilterProps) {
  const { t } = useTranslation("deliveries");
  const { choices, types } = useEventChoices();
  const chosen = chosenEvent(search);
  const label = choices.find(({ value }) => value === chosen)?.label ?? chosen;
  const choose = (value: string): void => {
    onChange(
      types.some((one) => one.value === value)
        ? { eventType: value, event: undefined, object: undefined, objectId: undefined }
        : chooseAction(search, value),
    );
  };
  const none = { event: undefined, eventType: undefined };
  return (
    <FilterPill
      name={t("filter.event")}
      value={label}
      onClear={() =>
        onChange(search.objectId === undefined ? { ...none, object: undefined } : none)
      }
    >
      {(close) => (
        <One
          name={t("filter.event")}
          choices={choices}
          chosen={chosen}
          onChoose={(value) => {
            choose(value);
            close();
          }}
        />
      )}
    </FilterPill>
  );
}

/** The event types, and which of them are timeline entry types. */
function useEventChoices() {
  const { data } = useQuery(eventTypesQuery);
  const words = useWords();
  const objects = (data?.objects ?? []).flatMap(({ object, events }) =>
    events.map((event) =>
      plain(`${object}.${event}`, words.event({ object, event, event_type: null })),
    ),
  );
  const types = (data?.eventTypes ?? []).map(({ eventType }) =>
    plain(eventType, words.eventType(eventType)),
  );
  const named = objects.filter(({ value }) => value !== "conversationevent.create");
  return { choices: [...named, ...types], types };
}

function chosenEvent({ object, event, eventType }: LogSearch): string | undefined {
  return eventType ?? (event === undefined ? undefined : `${object ?? ""}.${event}`);
}

/** Filters by object: a ticket by number or reference, others by id. */
export function AboutFilter({ search, onChange }: FilterProps) {
  const { t } = useTranslation("deliveries");
  const { object: wordOf } = useWords();
  const problemText = useProblemText();
  const kind = search.object ?? "ticket";
  const apply = async (text: string, close: () => void): Promise<string | undefined> => {
    try {
      const [ticket] = kind === "ticket" ? await findTickets(text) : [];
      if (ticket === undefined && kind === "ticket" && !/^\d+$/u.test(text)) {
        return t("filter.no_ticket", { text });
      }
      onChange({ object: kind, objectId: String(ticket?.id ?? text) });
      close();
      return undefined;
    } catch (thrown) {
      const { title, text: detail } = problemText(thrown);
      return detail === "" ? title : detail;
    }
  };
  const isOn = search.objectId !== undefined || (search.object !== undefined && !search.event);
  const value = [wordOf(kind), search.objectId ?? ""].join(" ").trim();
  return (
    <FilterPill
      name={t("filter.about")}
      value={isOn ? value : undefined}
      onClear={() =>
        onChange({
          objectId: undefined,
          ...(search.event === undefined ? { object: undefined } : {}),
        })
      }
    >
      {(close) => (
        <Stack gap="xs">
          <NativeSelect
            size="xs"
            label={t("filter.kind")}
            data={serviceKinds.map((one) => ({ value: one, label: wordOf(one) }))}
            value={kind}
            onChange={({ target }) =>
              onChange({ object: target.value, objectId: undefined, event: undefined })
            }
          />
          <TextChoice
            label={kind === "ticket" ? t("filter.ticket") : t("filter.id")}
            value={search.objectId}
            onApply={(text) => apply(text, close)}
          />
        </Stack>
      )}
    </FilterPill>
  );
}

export function PeriodFilter({ search, onChange }: FilterProps) {
  const { t } = useTranslation("deliveries");
  const value = useBoundText(search);
  return (
    <FilterPill
      name={t("filter.period")}
      value={value}
      onClear={() => onChange({ period: undefined, since: undefined, until: undefined })}
    >
      {(close) => (
        <Stack gap="xs">
          <One
            name={t("filter.period")}
            choices={periods.map((one) => plain(one, t(`period.${one}`)))}
            chosen={search.period}
            onChoose={(period) => {
              onChange({ period, since: undefined, until: undefined });
              close();
            }}
          />
          <Bound by="since" {...{ search, onChange }} />
          <Bound by="until" {...{ search, onChange }} />
        </Stack>
      )}
    </FilterPill>
  );
}

function useBoundText({ since, until, period }: LogSearch): string | undefined {
  const { t } = useTranslation("deliveries");
  if (isPeriod(period)) {
    return t(`period.${period}`);
  }
  if (since === undefined) {
    return until === undefined ? undefined : t("period.before", { until: shortTime(until) });
  }
  return until === undefined
    ? t("period.after", { since: shortTime(since) })
    : t("period.between", { since: shortTime(since), until: shortTime(until) });
}

function plain(value: string, label: string): Choice {
  return {
    value,
    label,
    searched: `${label} ${value}`,
  };
}

function Bound({ search, onChange, by }: FilterProps & { by: "since" | "until" }) {
  const { t } = useTranslation("deliveries");
  return (
    <DateRangeField
      type="datetime-local"
      label={t(`period.${by}`)}
      value={toLocal(search[by])}
      onApply={(time) => onChange({ period: undefined, [by]: fromLocal(time) })}
    />
  );
}
