import { Button, Skeleton, Table, Text, UnstyledButton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { colon, formatNumber } from "../../../base/format.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { Explanation, ExplainedWebhook } from "../model.ts";
import { useWebhookLabel } from "../use-labels.ts";
import { counted, useWords } from "../labels.ts";
import { explainQuery, type ExplainableEvent } from "./subject.ts";
import { meaningOfVerdict, outcomeOf, type Outcome } from "./verdict-words.ts";
import { WebhookVerdict } from "./webhook-verdict.tsx";
import classes from "./explain.module.css";

/** Each event costs an API call, so a long list is shown in parts. */
const shownAtOnce = 20;

/** Height of one webhook's summary, in pixels, reserved to avoid layout shift. */
const summaryHeight = 99;

/** Events in chronological order, each with its result at every webhook. */
export function EventList({ events }: { events: readonly ExplainableEvent[] }) {
  const { t } = useTranslation("deliveries");
  const [shown, setShown] = useState(shownAtOnce);
  const part = events.slice(0, shown);
  const explained = useQueries({
    queries: part.map(({ request: result }) => ({ ...explainQuery(result), staleTime: 10_000 })),
  });
  const isPending = explained.every((one) => one.isPending);
  return (
    <>
      {isPending ? (
        <Skeleton height={summaryHeight} />
      ) : (
        <Summary
          explanations={explained.flatMap(({ data }) => (data === undefined ? [] : [data]))}
          total={events.length}
        />
      )}
      <ol className={classes["events"]}>
        {part.map((event, index) => {
          const one = explained[index];
          return one === undefined ? null : (
            <EventRow
              key={JSON.stringify(event.request)}
              event={event}
              explained={one}
              isOpenAtFirst={index === 0}
            />
          );
        })}
      </ol>
      {events.length <= shown ? null : (
        <Button size="xs" variant="default" onClick={() => setShown(shown + shownAtOnce)}>
          {t("explain.more", { number: formatNumber(events.length - shown) })}
        </Button>
      )}
    </>
  );
}

const outcomeNames = ["delivered", "waiting", "failed", "not_sent"] as const;

type SummaryProps = Readonly<{
  explanations: readonly Explanation[];
  /** All events of the ticket; the explanations may be of fewer. */
  total: number;
}>;

/** For each webhook, how many of the explained events it received. */
function Summary({ explanations, total }: SummaryProps) {
  const { t } = useTranslation("deliveries");
  const label = useWebhookLabel();
  const tallies = [...tallyOf(explanations)];
  const { length: explained } = explanations;
  return tallies.length === 0 ? null : (
    <div className={classes["frame"]} role="group" aria-label={t("explain.summary")} tabIndex={0}>
      <Table verticalSpacing={6} aria-label={t("explain.summary")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              {t("column.webhook")}
              {explained === total ? null : (
                <Text span inherit c="dimmed" fw={400}>
                  {` · ${t("explain.part", {
                    number: formatNumber(explained),
                    total: formatNumber(total),
                  })}`}
                </Text>
              )}
            </Table.Th>
            {outcomeNames.map((name) => (
              <Table.Th key={name} className={classes["number"] ?? ""}>
                {t(`outcome.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tallies.map(([id, { name, counts }]) => (
            <Table.Tr key={id}>
              <Table.Td>{label({ id, name })}</Table.Td>
              {outcomeNames.map((outcome) => (
                <Table.Td key={outcome} className={classes["number"] ?? ""}>
                  {counts[outcome] === 0 ? "–" : formatNumber(counts[outcome])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

type Tally = Readonly<{ name: string; counts: Readonly<Record<Outcome, number>> }>;

function tallyOf(explanations: readonly Explanation[]): Map<number, Tally> {
  const none = { delivered: 0, waiting: 0, failed: 0, not_sent: 0 };
  const tallies = new Map<number, Tally>();
  for (const { webhooks } of explanations) {
    for (const { webhook, name, verdict, deleted } of webhooks) {
      const { counts } = tallies.get(webhook) ?? { counts: none };
      const outcome = outcomeOf(verdict);
      if (!deleted) {
        tallies.set(webhook, { name, counts: { ...counts, [outcome]: counts[outcome] + 1 } });
      }
    }
  }
  return tallies;
}

type EventRowProps = Readonly<{
  event: ExplainableEvent;
  explained: UseQueryResult<Explanation>;
  isOpenAtFirst: boolean;
}>;

function EventRow({ event, explained, isOpenAtFirst }: EventRowProps) {
  const words = useWords();
  const { t } = useTranslation("deliveries");
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const label = useWebhookLabel();
  const { data, error, refetch } = explained;
  return (
    <li className={classes["event"]}>
      <UnstyledButton
        className={classes["event-line"] ?? ""}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        <IconChevronRight
          size={15}
          className={classes["arrow"]}
          data-open={isOpen || undefined}
          aria-hidden
        />
        <span className={classes["what"]}>
          <strong>{words.event(event)}</strong> <RelativeTime at={event.time} />
        </span>
        <span className={classes["chips"]}>
          {(data?.webhooks ?? [])
            .filter(({ deleted }) => !deleted)
            .map(({ webhook, name, verdict }) => (
              <StateBadge key={webhook} meaning={meaningOfVerdict(verdict)}>
                {`${label({ id: webhook, name })}${colon()} ${t(`verdict_name.${verdict}`)}`}
              </StateBadge>
            ))}
          {explained.isPending ? <Skeleton height={20} width={120} /> : null}
        </span>
      </UnstyledButton>
      <div id={id}>
        {isOpen && data !== undefined ? (
          <div className={classes["details"]}>
            <Verdicts explanation={data} />
          </div>
        ) : null}
        {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      </div>
    </li>
  );
}

/** The results of one event at every webhook. */
export function Verdicts({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation("deliveries");
  const { event, webhooks } = explanation;
  return (
    <>
      <CopyText value={event.event_id} name={t("detail.event_id")} />
      {webhooks.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("explain.no_webhooks")}
        </Text>
      ) : (
        <ul className={classes["verdicts"]}>
          {webhooks
            .filter((webhook) => !isGone(webhook))
            .map((webhook) => (
              <WebhookVerdict key={webhook.webhook} webhook={webhook} />
            ))}
        </ul>
      )}
      <Gone webhooks={webhooks.filter(isGone)} />
    </>
  );
}

/** A deleted webhook that has no delivery of the event. */
function isGone({ deleted, delivery }: ExplainedWebhook): boolean {
  return deleted && delivery === null;
}

function Gone({ webhooks }: { webhooks: readonly ExplainedWebhook[] }) {
  const { t } = useTranslation("deliveries");
  return webhooks.length === 0 ? null : (
    <details className={classes["gone"]}>
      <summary>{t("explain.gone", counted(webhooks.length))}</summary>
      <ul className={classes["verdicts"]}>
        {webhooks.map((webhook) => (
          <WebhookVerdict key={webhook.webhook} webhook={webhook} />
        ))}
      </ul>
    </details>
  );
}
