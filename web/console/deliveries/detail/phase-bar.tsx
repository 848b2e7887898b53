import { Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import type { Attempt } from "../model.ts";
import { isReused, phasesOf } from "./phases.ts";
import classes from "./detail.module.css";

/** The phases of an attempt, as a bar and as text. */
export function PhaseBar({ phases: measured }: Pick<Attempt, "phases">) {
  const { t } = useTranslation("deliveries");
  const phases = phasesOf(measured);
  if (phases.length === 0) {
    return null;
  }
  return (
    <div>
      <div className={classes["bar"]} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: Math.max(ms, 0.5) }} />
        ))}
      </div>
      <ul className={classes["phases"]} aria-label={t("phase.title")}>
        {phases.map(({ name, ms }) => (
          <li key={name}>
            <i data-phase={name} aria-hidden />
            {t(`phase.${name}`)} <b>{formatDuration(ms)}</b>
          </li>
        ))}
      </ul>
      {isReused(measured) ? (
        <Text size="xs" c="dimmed">
          {t("phase.reused")}
        </Text>
      ) : null}
    </div>
  );
}
