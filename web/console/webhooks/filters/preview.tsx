import { Paper, SegmentedControl, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { filterTestQuery, excludedEventsQuery } from "../data.ts";
import classes from "./filters.module.css";
import type { FilterTest, Question } from "../types.ts";

type PastEvent = FilterTest["events"][number];

type PreviewProps = Question & {
  /** The conditions are invalid: shows no result, because one without them would mislead. */
  readonly isBroken?: boolean;
};

/** Preview: which recent events these filters and conditions match. */
export function Preview({ filters, conditions, isBroken = false }: PreviewProps) {
  const { t } = useTranslation("webhooks");
  // Parsed anew in every render: by its text, so that equal questions are one value.
  const text = JSON.stringify({ filters, conditions });
  const [debounced] = useDebouncedValue(text, 400);
  const question = JSON.parse(debounced) as Question;
  return (
    <Paper withBorder p="sm" component="section" aria-label={t("preview.title")}>
      <Text size="xs" c="dimmed" fw={600} mb={4}>
        {t("preview.title")}
      </Text>
      {isBroken || question.filters.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t(isBroken ? "preview.broken" : "preview.choose")}
        </Text>
      ) : (
        <Matches question={question} />
      )}
    </Paper>
  );
}

function Matches({ question }: { question: Question }) {
  const { data, error, refetch } = useQuery(filterTestQuery(question));
  if (error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return data === undefined ? <Skeleton height={160} /> : <Shown test={data} question={question} />;
}

function Shown({ test, question }: { test: FilterTest; question: Question }) {
  const { t } = useTranslation("webhooks");
  const [which, setWhich] = useState("matched");
  return (
    <Stack gap="xs">
      <div aria-live="polite">
        <Numbers test={test} />
      </div>
      {test.examined === 0 ? null : (
        <>
          <SegmentedControl
            size="xs"
            aria-label={t("preview.events")}
            value={which}
            onChange={setWhich}
            data={[
              { value: "matched", label: t("preview.tab_matched") },
              { value: "others", label: t("preview.tab_others") },
            ]}
          />
          {which === "matched" ? (
            <EventTable events={test.events} />
          ) : (
            <NotMatched question={question} />
          )}
        </>
      )}
    </Stack>
  );
}

function Numbers({ test }: { test: FilterTest }) {
  const { t } = useTranslation("webhooks");
  const { examined, matched, passed_filters: passed, unused_filters: unused, undetermined } = test;
  const share = examined === 0 ? 0 : (matched / examined) * 100;
  return (
    <>
      <Text fw={600}>
        {examined === 0
          ? t("preview.nothing_happened")
          : t("preview.matched", {
              matched: formatNumber(matched),
              examined: formatNumber(examined),
            })}
      </Text>
      <div className={classes["chart"]} aria-hidden>
        <div className={classes["bar"]} style={{ width: `${share}%` }} />
      </div>
      {test.oldest === null ? null : (
        <Text size="xs" c="dimmed" component="div">
          {t("preview.since")} <RelativeTime at={test.oldest} />
          {passed === matched
            ? ""
            : ` · ${t("preview.passed", { formatted: formatNumber(passed) })}`}
          {undetermined === 0
            ? ""
            : ` · ${t("preview.undetermined", { formatted: formatNumber(undetermined) })}`}
        </Text>
      )}
      {unused.length === 0 || examined === 0 ? null : (
        <Text size="xs" c="dimmed">
          {t("preview.unused")}{" "}
          <span className={`mono ${classes["what"]}`}>{unused.join(", ")}</span>
        </Text>
      )}
    </>
  );
}

/** The newest excluded events, with reasons. */
function NotMatched({ question }: { question: Question }) {
  const { t } = useTranslation("webhooks");
  const { data, error } = useQuery(excludedEventsQuery(question));
  if (error !== null) {
    return <ErrorBox error={error} />;
  }
  if (data === undefined) {
    return <Skeleton height={120} />;
  }
  return (
    <EventTable
      events={data.map(({ event }) => event)}
      whys={data.map(({ why }) => t(`preview.by_${why}`))}
    />
  );
}

type EventsProps = Readonly<{
  events: readonly PastEvent[];
  /** The reasons of excluded events. */
  whys?: readonly string[];
}>;

function EventTable({ events, whys }: EventsProps) {
  const { t } = useTranslation("webhooks");
  if (events.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("preview.no_events")}
      </Text>
    );
  }
  return (
    <div className={classes["events"]} role="region" aria-label={t("preview.events")} tabIndex={0}>
      <Table stickyHeader verticalSpacing={3} fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("preview.event")}</Table.Th>
            <Table.Th>{t("preview.id")}</Table.Th>
            <Table.Th>{t("preview.when")}</Table.Th>
            {whys === undefined ? null : <Table.Th>{t("preview.why")}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event, index) => (
            <EventRow key={event.event_id} event={event} why={whys?.[index]} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function EventRow({ event, why }: { event: PastEvent; why: string | undefined }) {
  return (
    <Table.Tr>
      <Table.Td>
        <span className={`mono ${classes["what"]}`}>
          {event.object}.{event.event}
          {event.event_type === null ? "" : `:${event.event_type}`}
        </span>
      </Table.Td>
      <Table.Td>
        <span className="mono">{event.object_id}</span>
      </Table.Td>
      <Table.Td className={classes["when"] ?? ""}>
        <RelativeTime at={event.time} />
      </Table.Td>
      {why === undefined ? null : <Table.Td>{why}</Table.Td>}
    </Table.Tr>
  );
}
