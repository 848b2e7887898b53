import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber } from "../../../base/format.ts";
import type { HealthWord } from "../health.ts";
import { useLabels } from "../use-labels.ts";
import { assessWebhook } from "./assess.ts";
import { countText } from "./numbers.ts";
import type { LiveWebhook } from "./types.ts";

/** A note beside a webhook's state: the next step, or the time of the last change. */
export function useHealthNote() {
  const { t } = useTranslation("deliveries");
  const labels = useLabels();
  const failing = ({ failing_since: since }: LiveWebhook, nowMs: number): string =>
    since === null ? "" : t("now.remark.failing", { for: between(Date.parse(since), nowMs) });
  const remarks: Partial<Record<HealthWord, (webhook: LiveWebhook, nowMs: number) => string>> = {
    failing,
    open: (webhook, nowMs) =>
      webhook.next_probe === null
        ? failing(webhook, nowMs)
        : labels.probe(webhook.next_probe, nowMs),
    pull: ({ to_pull: count }) => t("now.remark.to_pull", { number: formatNumber(count ?? 0) }),
    off: ({ paused }) =>
      paused.count === 0 ? "" : t("now.remark.kept", { number: countText(paused) }),
  };
  return (webhook: LiveWebhook, nowMs: number): string =>
    remarks[assessWebhook(webhook).word]?.(webhook, nowMs) ?? "";
}

/** At least one second, because the clocks of browser and server differ. */
function between(from: number, to: number): string {
  return formatDuration(Math.max(1_000, to - from));
}
