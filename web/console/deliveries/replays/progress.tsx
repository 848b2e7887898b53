import { Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber, formatRate, formatShare } from "../../../base/format.ts";
import type { Replay } from "../model.ts";
import classes from "./replays.module.css";

const results = ["delivered", "waiting", "dead", "cancelled"] as const;

const colors = { delivered: "green", dead: "red", cancelled: "gray", waiting: "accent" } as const;

/** Progress of a replay: bar by result, rate and remaining time. */
export function ReplayProgress({ replay }: { replay: Replay }) {
  const { t } = useTranslation("deliveries");
  const speed = useSpeed(replay);
  const whole = wholeOf(replay);
  const share = formatShare(replay.progress);
  const parts = results.filter((name) => replay[name] > 0);
  return (
    <div>
      <Progress.Root
        size={10}
        role="progressbar"
        aria-label={t("replay.progress", { id: replay.id })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(replay.progress * 100)}
        aria-valuetext={share}
      >
        {parts.map((name) => (
          <Progress.Section
            key={name}
            value={(100 * replay[name]) / whole}
            color={colors[name]}
            striped={name === "waiting"}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="xs" c="dimmed">
          {replay.state === "counting"
            ? t("replay.counting")
            : t("replay.made", {
                count: Math.min(replay.total ?? 0, 2),
                made: formatNumber(replay.made),
                total: formatNumber(replay.total ?? 0),
              })}
          {speed === "" ? "" : ` · ${speed}`}
        </Text>
        <Text size="xs" fw={600}>
          {share}
        </Text>
      </Group>
    </div>
  );
}

function useSpeed(replay: Replay): string {
  const { t } = useTranslation("deliveries");
  const { state, deliveries_per_second: speed, estimated_end: end } = replay;
  if (state !== "running" || speed === 0) {
    return "";
  }
  const rate = t("replay.speed", { rate: formatRate(speed) });
  const left = timeLeft(end);
  return left < 1_000 ? rate : `${rate} · ${t("replay.left", { time: formatDuration(left) })}`;
}

function timeLeft(end: string | null): number {
  return end === null ? 0 : new Date(end).getTime() - Date.now();
}

/** The total for the bar. For a finished replay, it excludes deliveries that were not created. */
function wholeOf({ state, total, made }: Replay): number {
  return Math.max(1, state === "done" ? made : (total ?? 0));
}

/** Results of the created deliveries, in numbers. */
export function ReplayCounters({ replay }: { replay: Replay }) {
  const { t } = useTranslation("deliveries");
  return (
    <dl className={classes["counters"]}>
      {results.map((name) => (
        <div key={name} data-of={replay[name] > 0 ? name : undefined}>
          <dt>{t(`replay_count.${name}`)}</dt>
          <dd>{formatNumber(replay[name])}</dd>
        </div>
      ))}
      {replay.skipped === null ? null : (
        <div>
          <dt>{t("replay_count.skipped")}</dt>
          <dd>{formatNumber(replay.skipped)}</dd>
        </div>
      )}
      {replay.not_made === null ? null : (
        <div>
          <dt>{t("replay_count.unmade")}</dt>
          <dd>{formatNumber(replay.not_made)}</dd>
        </div>
      )}
    </dl>
  );
}
