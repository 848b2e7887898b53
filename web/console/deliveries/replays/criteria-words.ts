import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { shortTime } from "../local-time.ts";
import type { Replay } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import { useWords } from "../words.ts";

/** The name of a webhook; of one that was deleted its id. */
export const useWebhookName = () => {
  const { data } = useQuery(webhooksQuery);
  const { t } = useTranslation("deliveries");
  return (id: number): string =>
    data?.data.find((one) => one.id === id)?.name ?? t("replay.webhook", { id });
};

/** What a replay repeats, in a few words. */
export const useCriteriaWords = () => {
  const { t } = useTranslation("deliveries");
  const { object, known, resultClass } = useWords();
  return ({ criteria }: Replay): string => {
    if (criteria.delivery !== null) {
      return t("replay.one", { id: criteria.delivery });
    }
    const { since, until, status, eventType, result } = criteria;
    return [
      status.map((one) => t(`replay_status.${one}`)).join(", "),
      criteria.object === null ? "" : object(criteria.object),
      eventType === null ? "" : known(`type.${eventType}`, eventType),
      result === null ? "" : resultClass(result),
      since === null ? "" : t("period.after", { since: shortTime(since) }),
      until === null ? "" : t("period.before", { until: shortTime(until) }),
    ]
      .filter((part) => part !== "")
      .join(" · ");
  };
};
