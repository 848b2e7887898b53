import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { Health, Part } from "./queries.ts";
import { anchorOf, meaningOf, sectionOf, usePartWords } from "./words.ts";
import classes from "../platform.module.css";

const order: Record<Part["state"], number> = { down: 0, failing: 1, slow: 2, notice: 3, ok: 4 };

/** The state of every component, sorted by severity, with remedies. */
export function Parts({ health }: { health: Health }) {
  const { t } = useTranslation("platform");
  const parts = health.parts.toSorted((a, b) => order[a.state] - order[b.state]);
  const bad = parts.filter(needsSomebody).length;
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
}

/** A notice needs no immediate action. */
function needsSomebody({ state }: Part): boolean {
  return state !== "ok" && state !== "notice";
}

function OnePart({ part }: { part: Part }) {
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
          {part.detail === null ? null : (
            <Text size="xs" className={`mono ${classes["detail"]}`}>
              {part.detail}
            </Text>
          )}
          <Text size="sm">{words.todo(part)}</Text>
          {part.runbook === null ? null : <ToRunbook link={part.runbook} />}
        </div>
      )}
    </li>
  );
}

function ToRunbook({ link }: { link: string }) {
  const { t } = useTranslation("platform");
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/platform"
          search={{ runbook: anchorOf(link) }}
          replace
          resetScroll={false}
          {...props}
        />
      )}
    >
      {t("runbook.open", { section: sectionOf(link) })}
    </Anchor>
  );
}
