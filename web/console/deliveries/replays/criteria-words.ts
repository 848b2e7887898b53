import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { shortTime } from "../local-time.ts";
import type { Replay } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import { useWebhookLabel } from "../use-labels.ts";
import { counted, useWords } from "../labels.ts";

/** The name of a webhook; the id if it was deleted. */
export function useWebhookName() {
  const { data } = useQuery(webhooksQuery);
  const label = useWebhookLabel();
  return (id: number): string => label(data?.data.find((one) => one.id === id) ?? { id, name: "" });
}

/** A short description of a replay's criteria. */
export function useCriteriaWords() {
  const { t } = useTranslation("deliveries");
  const { object, eventType: typeLabel, resultClass } = useWords();
  return ({ criteria }: Replay): string => {
    if (criteria.delivery !== null) {
      return t("replay.one", { id: criteria.delivery });
    }
    if (criteria.deliveries.length > 0) {
      return t("replay.selection", counted(criteria.deliveries.length));
    }
    const { since, until, status, eventType, result } = criteria;
    return [
      ...(criteria.undelivered ? [t("replay.recovery")] : []),
      status.map((one) => t(`replay_status.${one}`)).join(", "),
      criteria.object === null ? "" : object(criteria.object),
      eventType === null ? "" : typeLabel(eventType),
      result === null ? "" : resultClass(result),
      since === null ? "" : t("period.after", { since: shortTime(since) }),
      until === null ? "" : t("period.before", { until: shortTime(until) }),
    ]
      .filter((part) => part !== "")
      .join(" · ");
  };
}
