import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber } from "../../../base/format.ts";
import { judgeWebhook, type HealthWord } from "./judge.ts";
import { countText } from "./numbers.ts";
import type { LiveWebhook } from "./types.ts";

const between = (from: number, to: number): string => formatDuration(Math.max(0, to - from));

/** Beside a webhook's state: what comes next, or since when it is so. */
export const useRemark = () => {
  const { t } = useTranslation("deliveries");
  const failing = ({ failing_since: since }: LiveWebhook, nowMs: number): string =>
    since === null ? "" : t("now.remark.failing", { for: between(Date.parse(since), nowMs) });
  const remarks: Record<HealthWord, (webhook: LiveWebhook, nowMs: number) => string> = {
    ok: () => "",
    some_fail: () => "",
    failing,
    behind: ({ oldest_waiting_seconds: oldest }) =>
      t("now.tile.oldest", { age: formatDuration((oldest ?? 0) * 1_000) }),
    open: (webhook, nowMs) => {
      const probe = Date.parse(webhook.next_probe ?? "");
      if (Number.isNaN(probe)) {
        return failing(webhook, nowMs);
      }
      return probe <= nowMs
        ? t("now.remark.probe_now")
        : t("now.remark.probe", { in: between(nowMs, probe) });
    },
    throttled: ({ throttled_until: until }, nowMs) =>
      until === null ? "" : t("now.remark.throttled", { in: between(nowMs, Date.parse(until)) }),
    pull: ({ to_pull: count }) => t("now.remark.to_pull", { number: formatNumber(count ?? 0) }),
    off: ({ paused }) =>
      paused.count === 0 ? "" : t("now.remark.kept", { number: countText(paused) }),
  };
  return (webhook: LiveWebhook, nowMs: number): string =>
    remarks[judgeWebhook(webhook).word](webhook, nowMs);
};
