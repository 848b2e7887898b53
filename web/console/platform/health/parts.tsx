import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { Health, Part } from "./queries.ts";
import { meaningOf, usePartWords } from "./words.ts";
import classes from "../platform.module.css";

const OnePart = ({ part }: { part: Part }) => {
  const { t } = useTranslation("platform");
  const words = usePartWords();
  const isWell = part.state === "ok";
  return (
    <li className={classes["health"]} data-state={part.state}>
      <div>
        <Text fw={600}>{words.name(part.part)}</Text>
        <Text size="xs" c="dimmed">
          {words.role(part.part)}
        </Text>
      </div>
      <div>
        <StateBadge meaning={meaningOf[part.state]}>{t(`state.${part.state}`)}</StateBadge>
        {part.since === null ? null : (
          <Text size="xs" c="dimmed">
            {t("since")} <RelativeTime at={part.since} />
          </Text>
        )}
      </div>
      {isWell ? null : (
        <div className={classes["healthWhat"]}>
          <Text fw={600} size="sm">
            {words.what(part)}
          </Text>
          <Text size="sm">{words.todo(part)}</Text>
          <Text size="xs" c="dimmed" mt={2}>
            {words.section(part)}
          </Text>
        </div>
      )}
    </li>
  );
};

const order: Record<Part["state"], number> = { down: 0, slow: 1, ok: 2 };

/** Every part in a word; of what is not well, what to do. The worst first, else as webhooks pass. */
export const Parts = ({ health }: { health: Health }) => {
  const { t } = useTranslation("platform");
  const parts = health.parts.toSorted((a, b) => order[a.state] - order[b.state]);
  const bad = parts.filter(({ state }) => state !== "ok").length;
  const note = bad === 0 ? t("health.all_well") : t("health.some", { count: bad });
  return (
    <Section
      title={t("health.title")}
      note={<span role="status">{note}</span>}
      actions={
        <StateBadge meaning={meaningOf[health.state]}>{t(`state.${health.state}`)}</StateBadge>
      }
    >
      <ul className={classes["healthList"]}>
        {parts.map((part) => (
          <OnePart key={part.part} part={part} />
        ))}
      </ul>
    </Section>
  );
};
