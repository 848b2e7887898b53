/** The labels of delivery states and of webhook health, the same on every page. */
import { useMemo } from "react";
import type { DeliveryState } from "../../../src/contracts/deliveries.ts";
import { useTranslation } from "../../base/i18n.ts";
import { formatDate, formatDuration } from "../../base/format.ts";
import { failingKind, type HealthFacts, type HealthWord } from "./health.ts";

/** Memoized per language. */
export function useLabels() {
  const translation = useTranslation();
  return useMemo(() => labelsIn(translation), [translation]);
}

function labelsIn({ t, find }: ReturnType<typeof useTranslation<"base">>) {
  const state = (name: DeliveryState): string => t(`delivery_state.${name}`);

  const error = (name: string): string => find(`delivery_error.${name}`) ?? name;

  /** "HTTP 500", "time-out". */
  const cause = ({
    last_code: code,
    last_error: name,
  }: Pick<HealthFacts, "last_code" | "last_error">): string =>
    code === null ? error(name ?? "other") : `HTTP ${code}`;

  const failing = (facts: HealthFacts): string => {
    const kind = failingKind(facts);
    return kind === "unknown"
      ? t("webhook_health.failing_unknown")
      : t(`webhook_health.${kind}`, { cause: cause(facts) });
  };
  /** "Failing (HTTP 500)", "Unreachable (time-out)", "Throttled until 14:05". */
  const health = (word: HealthWord, facts: HealthFacts): string => {
    switch (word) {
      case "open":
      case "failing":
        return failing(facts);
      case "throttled":
        return facts.throttled_until === null
          ? t("webhook_health.throttled_unknown")
          : t("webhook_health.throttled", { time: minutes(facts.throttled_until) });
      case "behind": {
        const age = formatDuration((facts.oldest_waiting_seconds ?? 0) * 1_000);
        return t("webhook_health.behind", { age });
      }
      default:
        return t(`webhook_health.${word}`);
    }
  };
  /** Of an open circuit: the next probe. */
  const probe = (nextProbe: string, nowMs: number): string => {
    const inMs = Date.parse(nextProbe) - nowMs;
    return inMs <= 0
      ? t("webhook_health.probe_now")
      : t("webhook_health.probe", { in: formatDuration(inMs) });
  };
  return { state, error, cause, health, probe };
}

function minutes(at: string): string {
  return formatDate(new Date(at), { hour: "2-digit", minute: "2-digit" });
}

/** A webhook's name, or its id if it has none. */
export function useWebhookLabel(): (webhook: { id: number; name: string }) => string {
  const { t } = useTranslation();
  return ({ id, name }) => (name === "" ? t("webhook_unnamed", { id }) : name);
}
