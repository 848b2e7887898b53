import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { limitRows } from "../form/limit-fields.ts";
import { ScheduleLine } from "../form/schedule-line.tsx";
import { defaultSchedule } from "../form/schedule.ts";
import { Section } from "../section.tsx";
import { Facts } from "./facts.tsx";
import type { Webhook } from "../types.ts";

/** Rate limits, ordering and retries. */
export function Limits({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  if (webhook.mode === "pull") {
    return <Section title={t("page.limits")}>{t("page.pull_limits")}</Section>;
  }
  const { ordered, retrySchedule } = webhook;
  return (
    <Section title={t("page.limits")}>
      <Facts
        facts={[
          { name: t("page.order"), value: t(ordered ? "page.ordered" : "page.unordered") },
          ...limitRows.map(([name, { label, unset }]) => {
            const limit = webhook[name];
            return { name: t(label), value: limit === null ? t(unset) : formatNumber(limit) };
          }),
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
