import { Stack } from "@mantine/core";
import { formatDate } from "../base/format.ts";
import { useTranslation } from "../base/i18n.ts";
import { DateRangeField } from "./date-range-field.tsx";
import { FilterPill } from "./filter-pill.tsx";

type Days = Readonly<{ since?: string | undefined; until?: string | undefined }>;

type DayFilterProps = Days &
  Readonly<{
    name: string;
    /** An empty string clears a bound. */
    onChange: (days: { since?: string; until?: string }) => void;
  }>;

/** Filters by a range of days, both inclusive. */
export function DayFilter({ name, since, until, onChange }: DayFilterProps) {
  const { t } = useTranslation();
  return (
    <FilterPill
      name={name}
      value={usePeriodText({ since, until })}
      onClear={() => onChange({ since: "", until: "" })}
    >
      {() => (
        <Stack gap="xs">
          <DateRangeField
            type="date"
            label={t("filter.since_day")}
            value={since ?? ""}
            onApply={(day) => onChange({ since: day })}
          />
          <DateRangeField
            type="date"
            label={t("filter.until_day")}
            value={until ?? ""}
            onApply={(day) => onChange({ until: day })}
          />
        </Stack>
      )}
    </FilterPill>
  );
}

function usePeriodText({ since, until }: Days): string | undefined {
  const { t } = useTranslation();
  if (since === undefined) {
    return until === undefined ? undefined : t("filter.to", { until: dayText(until) });
  }
  return until === undefined
    ? t("filter.from", { since: dayText(since) })
    : t("filter.between", { since: dayText(since), until: dayText(until) });
}

function dayText(day: string): string {
  return formatDate(new Date(`${day}T00:00:00`), {
    year: "numeric",
    month: "short",
    day: "numeric",
  });
}
