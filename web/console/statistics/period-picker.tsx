import { Group, SegmentedControl, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { formatDate } from "../../base/format.ts";
import { DateRangeField } from "../../components/date-range-field.tsx";
import { chartTime, isDay } from "./days.ts";
import { mostDays, type Period } from "./period.ts";
import type { PeriodName } from "./search.ts";

type PeriodPickerProps = Readonly<{
  period: Period;
  today: string;
  fault: "order" | "length" | undefined;
}>;

/** Selects the period; the URL stores it. */
export function PeriodPicker(props: PeriodPickerProps) {
  const { period } = props;
  const { t } = useTranslation("statistics");
  const search = useSearch({ from: "/signed-in/statistics" });
  const navigate = useNavigate({ from: "/statistics" });
  const chosen = search.period ?? "days30";
  const choose = (next: string): void => {
    const days = next === "custom" ? period : { since: undefined, until: undefined };
    void navigate({
      search: (was) => ({ ...was, ...days, day: undefined, period: next as PeriodName }),
    });
  };
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <SegmentedControl
        value={chosen}
        onChange={choose}
        aria-label={t("period.name")}
        data={(["today", "week", "days30", "custom"] as const).map((value) => ({
          value,
          label: t(`period.${value}`),
        }))}
      />
      {chosen === "custom" ? (
        <CustomDays {...props} />
      ) : (
        <Text c="dimmed" size="sm" pb={6}>
          {period.since === period.until
            ? longDay(period.since)
            : t("period.from_to", { from: longDay(period.since), to: longDay(period.until) })}
        </Text>
      )}
    </Group>
  );
}

function CustomDays({ period, today, fault }: PeriodPickerProps) {
  const { t } = useTranslation("statistics");
  const navigate = useNavigate({ from: "/statistics" });
  const set = (name: "since" | "until", value: string): void => {
    if (isDay(value)) {
      void navigate({
        search: (was) => ({ ...was, ...period, [name]: value, day: undefined }),
        replace: true,
      });
    }
  };
  const error = fault === undefined ? false : t(`period.${fault}`, { count: mostDays });
  return (
    <>
      <DateRangeField
        type="date"
        size="sm"
        label={t("period.since")}
        value={period.since}
        max={today}
        error={error !== false}
        onApply={(day) => set("since", day)}
      />
      <DateRangeField
        type="date"
        size="sm"
        label={t("period.until")}
        value={period.until}
        max={today}
        error={error !== false}
        onApply={(day) => set("until", day)}
      />
      {error === false ? null : (
        <Text c="var(--bad)" size="sm" role="alert">
          {error}
        </Text>
      )}
    </>
  );
}

function longDay(day: string): string {
  return formatDate(new Date(chartTime(day) * 1_000), {
    year: "numeric",
    month: "long",
    day: "numeric",
  });
}
