import { Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import classes from "./form.module.css";

/** The retry schedule, with the time of each attempt since the first. */
export function ScheduleLine({ durations }: { durations: readonly number[] }) {
  const { t } = useTranslation("webhooks");
  const sums = durations.reduce<number[]>((all, one) => [...all, (all.at(-1) ?? 0) + one], [0]);
  const total = sums.at(-1) ?? 0;
  return (
    <div>
      <ol className={classes["timeline"]} aria-label={t("schedule.line")}>
        {sums.map((sum, at) => (
          <li key={`${sum}`} className={classes["attempt"]}>
            <Text size="xs" fw={600}>
              {at === 0
                ? t("schedule.at_once")
                : `+${formatDuration((durations[at - 1] ?? 0) * 1_000)}`}
            </Text>
            <Text size="xs" c="dimmed">
              {t("schedule.attempt", { number: at + 1 })}
            </Text>
          </li>
        ))}
      </ol>
      <Text size="xs" c="dimmed">
        {total === 0
          ? t("schedule.single")
          : t("schedule.total", { count: sums.length, time: formatDuration(total * 1_000) })}
      </Text>
    </div>
  );
}
