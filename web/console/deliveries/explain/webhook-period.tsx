import { Group, Paper, SegmentedControl, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { shortTime } from "../local-time.ts";
import { isPeriod, periods, periodStart, toBound, type PeriodName } from "../log/search.ts";
import type { WebhookExplanation } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import { useWebhookLabel } from "../use-labels.ts";
import type { QuestionSearch } from "./explain-search.ts";
import { meaningOfPeriod } from "./verdict-words.ts";
import { PeriodFacts } from "./period-facts.tsx";
import { KindTable, VerdictTable } from "./period-tables.tsx";
import classes from "./explain.module.css";

type WebhookPeriodProps = Readonly<{
  search: QuestionSearch;
  go: (search: QuestionSearch) => void;
}>;

/** What one webhook received in a period, and why it did not receive the rest. */
export function WebhookPeriod({ search, go }: WebhookPeriodProps) {
  const { t } = useTranslation("deliveries");
  const { data } = useQuery(webhooksQuery);
  const label = useWebhookLabel();
  const period = isPeriod(search.period) ? search.period : "hour";
  const { webhook } = search;
  const ask = (change: QuestionSearch): void => go({ part: "webhook", webhook, period, ...change });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw={620}>
        {t("why.note")}
      </Text>
      <Group gap="sm">
        <Select
          size="xs"
          searchable
          aria-label={t("filter.webhook")}
          placeholder={t("why.choose")}
          data={(data?.data ?? []).map((one) => ({ value: String(one.id), label: label(one) }))}
          value={webhook ?? null}
          onChange={(id) => ask({ webhook: id ?? undefined })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("filter.period")}
          data={periods.map((one) => ({ value: one, label: t(`period.${one}`) }))}
          value={period}
          onChange={(next) => ask({ period: next })}
        />
      </Group>
      {webhook !== undefined && /^\d{1,15}$/u.test(webhook) ? (
        <Answer webhookId={Number(webhook)} period={period} />
      ) : null}
    </Stack>
  );
}

function Answer({ webhookId, period }: { webhookId: number; period: PeriodName }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["deliveries", "why", webhookId, period],
    // Relative to now, even on a second run.
    queryFn: () =>
      call(
        api.GET("/api/webhooks/{webhookId}/explain", {
          params: {
            path: { webhookId },
            query: { since: toBound(periodStart(period, new Date())) },
          },
        }),
      ),
  });
  if (data !== undefined) {
    return <Result explanation={data} period={period} />;
  }
  return error === null ? (
    <Stack role="status" aria-label={t("state.loading")}>
      <Skeleton height={120} />
      <Skeleton height={160} />
    </Stack>
  ) : (
    <ErrorBox error={error} onRetry={() => void refetch()} />
  );
}

type ResultProps = Readonly<{ explanation: WebhookExplanation; period: PeriodName }>;

function Result({ explanation, period }: ResultProps) {
  const { t } = useTranslation("deliveries");
  const { webhook, verdict, verdicts, kinds } = explanation;
  const values = {
    number: formatNumber(explanation.count),
    matched: formatNumber(explanation.matched),
  };
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        <Stack gap="xs">
          <div role="status">
            <StateBadge meaning={meaningOfPeriod(verdict)}>
              {t(`why.what.${verdict}`, values)}
            </StateBadge>
          </div>
          <Text size="sm">{t(`why.do.${verdict}`)}</Text>
          <Summary explanation={explanation} />
          <PeriodFacts explanation={explanation} />
          <Group gap="md" className={classes["links"] ?? ""}>
            <Link to="/dashboard/deliveries/log" search={{ webhook: String(webhook), period }}>
              {t("why.in_log")}
            </Link>
            {explanation.deleted ? null : (
              <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(webhook) }}>
                {t("match.to_webhook")}
              </Link>
            )}
          </Group>
        </Stack>
      </Paper>
      <VerdictTable verdicts={verdicts} />
      <KindTable kinds={kinds} />
    </Stack>
  );
}

function Summary({ explanation }: { explanation: WebhookExplanation }) {
  const { t } = useTranslation("deliveries");
  const { events, matched, arrived, truncated_at: truncatedAt, clamped } = explanation;
  return (
    <>
      <Text size="sm">
        {t("why.happened", {
          ...{ of_events: events, of_arrived: arrived },
          events: formatNumber(events),
          matched: formatNumber(matched),
          arrived: formatNumber(arrived),
        })}
      </Text>
      {truncatedAt === null ? null : (
        <Text size="xs" c="dimmed" role="note">
          {t("why.truncated", { since: shortTime(truncatedAt) })}
        </Text>
      )}
      {clamped ? (
        <Text size="xs" c="dimmed" role="note">
          {t("why.clamped", { since: shortTime(explanation.kept_since) })}
        </Text>
      ) : null}
    </>
  );
}
