import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { Facts } from "../../../components/facts.tsx";
import { shortTime } from "../local-time.ts";
import type { WebhookExplanation } from "../model.ts";
import { useWords } from "../labels.ts";

/** The deliveries by state, their results, the requests, and when the webhook was disabled. */
export function PeriodFacts({ explanation }: { explanation: WebhookExplanation }) {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const offText = useOffText();
  const { states, results, attempts, off } = explanation;
  const list = (items: readonly string[]): string =>
    items.length === 0 ? t("why.none") : items.join(", ");
  return (
    <Facts>
      <dt>{t("why.deliveries")}</dt>
      <dd>
        {list(states.map(({ status, count }) => `${formatNumber(count)} × ${words.state(status)}`))}
      </dd>
      <dt>{t("why.results")}</dt>
      <dd>
        {list(
          results.map(
            ({ result, count }) => `${formatNumber(count)} × ${words.resultClass(result)}`,
          ),
        )}
      </dd>
      <dt>{t("why.requests")}</dt>
      <dd>
        {t("why.requests_value", {
          all: formatNumber(attempts.delivered + attempts.failed),
          failed: formatNumber(attempts.failed),
        })}
      </dd>
      {off.length === 0 ? null : (
        <>
          <dt>{t("why.off")}</dt>
          {off.map((one) => (
            <dd key={one.since}>{offText(one)}</dd>
          ))}
        </>
      )}
    </Facts>
  );
}

function useOffText(): (one: WebhookExplanation["off"][number]) => string {
  const { t } = useTranslation("deliveries");
  return ({ since, until, changed_by: login }) => {
    const period =
      until === null
        ? t("why.off_since", { since: shortTime(since) })
        : t("why.off_between", { since: shortTime(since), until: shortTime(until) });
    return login === null ? period : `${period} ${t("why.by", { login })}`;
  };
}
