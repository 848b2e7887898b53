import { useTranslation } from "../../../base/i18n.ts";
import { optionFact, optionRows } from "../form/option-fields.ts";
import { ScheduleLine } from "../form/schedule-line.tsx";
import { defaultSchedule } from "../form/schedule.ts";
import { Section } from "../section.tsx";
import { Facts } from "./facts.tsx";
import type { Webhook } from "../types.ts";

/** The options of the requests, and the retries. */
export function Limits({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  if (webhook.mode === "pull") {
    return <Section title={t("page.limits")}>{t("page.pull_limits")}</Section>;
  }
  const { retrySchedule } = webhook;
  return (
    <Section title={t("page.limits")}>
      <Facts
        facts={[
          ...optionRows.map(([name, row]) => optionFact(row, webhook[name], t)),
          {
            name: t("more.schedule"),
            value: t(retrySchedule === null ? "schedule.platform" : "schedule.own"),
          },
        ]}
      />
      <ScheduleLine durations={retrySchedule ?? defaultSchedule} />
    </Section>
  );
}
