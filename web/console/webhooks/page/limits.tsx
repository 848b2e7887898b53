import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { ScheduleLine } from "../form/schedule-line.tsx";
import { platformSchedule } from "../form/schedule.ts";
import { Section } from "../section.tsx";
import { Facts } from "./facts.tsx";
import type { Webhook } from "../types.ts";

/** How fast, in which order, and how often again. */
export function Limits({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  if (webhook.mode === "pull") {
    return <Section title={t("page.limits")}>{t("page.pull_limits")}</Section>;
  }
  const { ordered, maxPerSecond, maxInFlight, retrySchedule } = webhook;
  return (
    <Section title={t("page.limits")}>
      <Facts
        facts={[
          { name: t("page.order"), value: t(ordered ? "page.ordered" : "page.unordered") },
          {
            name: t("pace.per_second"),
            value: maxPerSecond === null ? t("pace.unbounded") : formatNumber(maxPerSecond),
          },
          {
            name: t("pace.in_flight"),
            value: maxInFlight === null ? t("pace.platform") : formatNumber(maxInFlight),
          },
          {
            name: t("more.schedule"),
            value: t(retrySchedule === null ? "schedule.platform" : "schedule.own"),
          },
        ]}
      />
      <ScheduleLine durations={retrySchedule ?? platformSchedule} />
    </Section>
  );
}
