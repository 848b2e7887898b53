/** Describes the result of an event at a webhook in one sentence. */
import { useTranslation } from "../../../base/i18n.ts";
import { formatExact, formatRelative, formatShort } from "../../../base/format.ts";
import type { Meaning } from "../../../components/meaning.ts";
import type { ExplainedWebhook, Verdict, WebhookExplanation } from "../model.ts";
import { useWords } from "../labels.ts";

const meanings: Record<Verdict, Meaning> = {
  delivered: "good",
  available: "good",
  pulled: "good",
  in_flight: "waiting",
  waiting: "waiting",
  waits_for_other: "waiting",
  throttled: "waiting",
  circuit_open: "warn",
  paused: "warn",
  dead: "bad",
  cancelled: "neutral",
  not_fanned_out: "waiting",
  dead_letter: "bad",
  filters: "neutral",
  conditions: "neutral",
  off: "warn",
  created_later: "neutral",
  deleted: "neutral",
  own: "neutral",
  changing: "warn",
  undetermined: "neutral",
  removed: "neutral",
  gap: "bad",
};

/** The main reason of a period: that of its events, or one of its own. */
export function meaningOfPeriod(verdict: WebhookExplanation["verdict"]): Meaning {
  switch (verdict) {
    case "no_events":
      return "neutral";
    case "failing":
      return "bad";
    case "behind":
      return "warn";
    default:
      return meanings[verdict];
  }
}

/** The category in the summary. */
export type Outcome = "delivered" | "waiting" | "failed" | "not_sent";

export function meaningOfVerdict(verdict: Verdict): Meaning {
  return meanings[verdict];
}

const outcomes: Record<Meaning, Outcome> = {
  good: "delivered",
  waiting: "waiting",
  bad: "failed",
  warn: "not_sent",
  neutral: "not_sent",
};

export function outcomeOf(verdict: Verdict): Outcome {
  return verdict === "paused" || verdict === "circuit_open"
    ? "waiting"
    : outcomes[meanings[verdict]];
}

export function useVerdictWords() {
  const { t } = useTranslation("deliveries");
  const { resultInWords, endReason } = useWords();
  const at = (time: string | null): string => {
    const date = new Date(time ?? "");
    return Number.isNaN(date.getTime()) ? "" : formatShort(date, new Date());
  };

  const off = (webhook: ExplainedWebhook): string => {
    const { since, until } = webhook;
    const period =
      until === null
        ? t("verdict.off_since", { since: at(since) })
        : t("verdict.off_between", { since: at(since), until: at(until) });
    const { key, login } = offCause(webhook);
    return `${period} ${t(`off_cause.${key}`, { login })}`.trim();
  };

  const conditions = (webhook: ExplainedWebhook): string => {
    const { condition, path, value } = unmetOf(webhook);
    if (path === "") {
      return t("verdict.conditions_unknown");
    }
    return value === undefined
      ? t("verdict.conditions_absent", { condition, path })
      : t("verdict.conditions", { condition, path, value });
  };

  const waiting = (webhook: ExplainedWebhook): string => {
    if (webhook.until === null) {
      return t("verdict.waiting_due");
    }
    const time = formatRelative(new Date(webhook.until), new Date());
    const count = webhook.delivery?.attempt_count ?? 0;
    const result = resultInWords(webhook.delivery?.last_result ?? "");
    return count === 0
      ? t("verdict.waiting", { time })
      : t("verdict.waiting_failed", { time, count, result });
  };

  const ofDelivery = ({ delivery }: ExplainedWebhook) => ({
    ended: at(delivery?.ended ?? null),
    count: delivery?.attempt_count ?? 0,
    number: (delivery?.attempt_count ?? 0) + 1,
    sequence: delivery?.waits_for ?? "",
  });

  const sentence = (webhook: ExplainedWebhook): string => {
    const { verdict, delivery } = webhook;
    switch (verdict) {
      case "off":
        return off(webhook);
      case "conditions":
        return conditions(webhook);
      case "waiting":
        return waiting(webhook);
      default:
        return t(`verdict.${verdict}`, {
          ...ofDelivery(webhook),
          since: at(webhook.since),
          until: at(webhook.until),
          result: resultInWords(delivery?.last_result ?? ""),
          reason: endReason(delivery?.end_reason ?? ""),
        });
    }
  };
  const exact = (time: string | null): string => (time === null ? "" : formatExact(new Date(time)));
  return { sentence, exact };
}

/** Why a webhook was disabled, and by whom. */
function offCause({ reason, changed_by: login }: ExplainedWebhook) {
  if (reason === "gone" || reason === "failing" || reason === "created") {
    return { key: reason, login: login ?? "" } as const;
  }
  return { key: login === null ? "unknown" : "user", login: login ?? "" } as const;
}

/** The first condition that failed, and the actual value. */
function unmetOf({ conditions: [first] }: ExplainedWebhook) {
  return {
    condition: first?.condition ?? "",
    path: first?.found[0]?.path ?? "",
    value: first?.found[0]?.value ?? undefined,
  };
}
