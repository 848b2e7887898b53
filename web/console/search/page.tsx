/** The global search, results by kind. */
import { Skeleton, Stack, Title } from "@mantine/core";
import { IconSearchOff } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { InlineFault } from "../../components/inline-fault.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useMay, useSession } from "../session.ts";
import {
  addressOfDelivery,
  addressOfExplain,
  addressOfMeeting,
  addressOfTicket,
} from "./addresses.ts";
import { answerOf, type Answer, type SearchHits } from "./answer.ts";
import { allowedOf, findQuery } from "./find.ts";
import { questionsOf, parseIntent, type SearchIntent } from "./kinds.ts";
import { DeliveryRow, MeetingRow, TicketRow } from "./rows.tsx";
import classes from "./search.module.css";

type AnswerProps = Readonly<{ q: string; answer: Answer; intents: readonly SearchIntent[] }>;

export function SearchPage() {
  const { t } = useTranslation("search");
  const { q } = useSearch({ from: "/signed-in/search" });
  const text = q.trim();
  return (
    <>
      <PageHeader title={text === "" ? t("name") : t("title", { q: text })} />
      {text === "" ? (
        <EmptyState icon={IconSearchOff} title={t("name")} text={t("hint")} />
      ) : (
        <Results key={text} q={text} />
      )}
    </>
  );
}

/** Runs the search; opens a single result directly. */
function Results({ q }: { q: string }) {
  const { t } = useTranslation("search");
  const navigate = useNavigate();
  const { answer, isLooking, isAsking, retry } = useAnswer(q);
  const { found, searched, failed } = answer;
  const isWhole = !isAsking && failed.length === 0;
  const place = isWhole ? onlyPlace(found, parseIntent(q)) : undefined;
  useEffect(() => {
    if (place !== undefined) {
      // Replace, so that browser back skips the search.
      void navigate({ to: place, replace: true } as never);
    }
  }, [place, navigate]);
  const skeleton = <Skeleton height={180} role="status" aria-label={t("looking")} />;
  if (isLooking || place !== undefined) {
    return skeleton;
  }
  if (failed[0] !== undefined && searched.length + countOf(found) === 0) {
    return <ErrorBox error={failed[0].error} onRetry={retry} />;
  }
  return (
    <Stack gap="md" align="stretch">
      <Failed answer={answer} onRetry={retry} />
      {isAsking ? skeleton : null}
      {isAsking && countOf(found) === 0 ? null : (
        <Answered q={q} answer={answer} intents={parseIntent(q)} />
      )}
    </Stack>
  );
}

/** Queries all permitted lists in parallel. */
function useAnswer(q: string) {
  const session = useSession();
  const allowed = allowedOf(parseIntent(q), session);
  const questions = questionsOf(allowed);
  const result = useQueries({ queries: questions.map(findQuery) });
  return {
    answer: answerOf(
      allowed,
      questions.map((intent, nth) => ({
        ...{ data: undefined, error: null },
        ...result[nth],
        intent,
      })),
    ),
    /** Waits for all lists. */
    isLooking: result.some(
      ({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0,
    ),
    isAsking: result.some(({ isPending }) => isPending),
    retry: () => result.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch()),
  };
}

/** The URL of the only result; an event opens its explanation. */
function onlyPlace(found: SearchHits, intents: readonly SearchIntent[]): string | undefined {
  const event = intents.find(({ kind }) => kind === "event");
  if (event?.kind === "event") {
    return found.events.length === 0 ? undefined : addressOfExplain(event.id);
  }
  if (countOf(found) !== 1) {
    return undefined;
  }
  const [[ticket], [meeting], [delivery]] = [found.tickets, found.meetings, found.deliveries];
  if (ticket !== undefined) {
    return addressOfTicket(ticket.id);
  }
  if (meeting !== undefined) {
    return addressOfMeeting(meeting.id);
  }
  return delivery === undefined ? undefined : addressOfDelivery(delivery.id);
}

function Failed({ answer, onRetry }: { answer: Answer; onRetry: () => void }) {
  const { t } = useTranslation("search");
  return answer.failed.map(({ list, error }) => (
    <InlineFault key={list} error={error} onRetry={onRetry}>
      {t(`failed.${list}`)}
    </InlineFault>
  ));
}

function Answered({ q, answer, intents }: AnswerProps) {
  if (countOf(answer.found) === 0) {
    return (
      <div className={classes["nothing"]}>
        <Nothing q={q} answer={answer} intents={intents} />
      </div>
    );
  }
  return (
    <Stack gap="md" align="stretch">
      <Groups found={answer.found} />
      <Explain q={q} intents={intents} />
    </Stack>
  );
}

function countOf(found: SearchHits): number {
  return (
    found.tickets.length + found.meetings.length + found.events.length + found.deliveries.length
  );
}

function Nothing({ q, answer, intents }: AnswerProps) {
  const { t, language } = useTranslation("search");
  const searched = answer.searched.map((kind) => t(`searched.${kind}`));
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t("nothing")}
      text={
        <>
          {searched.length === 0
            ? t("may_nothing")
            : t("searched_for", {
                list: new Intl.ListFormat(language, { type: "disjunction" }).format(searched),
              })}
        </>
      }
      action={<Explain q={q} intents={intents} />}
    />
  );
}

/** A link that explains the deliveries of a ticket or an event. */
function Explain({ q, intents }: { q: string; intents: readonly SearchIntent[] }) {
  const { t } = useTranslation("search");
  const mayWebhooks = useMay("webhooks.read");
  const isEvent = intents.some(({ kind }) => kind === "event");
  const isTicket = intents.some(({ kind }) => kind === "ticket");
  return mayWebhooks && (isEvent || isTicket) ? (
    <Link to="/dashboard/explain" search={{ q }} className={classes["explain"] ?? ""}>
      {t(isEvent ? "explain_event" : "explain_ticket")}
    </Link>
  ) : null;
}

function Groups({ found }: { found: SearchHits }) {
  const { t } = useTranslation("search");
  return (
    <Stack gap="md">
      {found.tickets.length === 0 ? null : (
        <Group title={t("tickets", { count: found.tickets.length })}>
          {found.tickets.map((ticket) => (
            <TicketRow key={ticket.id} ticket={ticket} />
          ))}
        </Group>
      )}
      {found.meetings.length === 0 ? null : (
        <Group title={t("meetings", { count: found.meetings.length })}>
          {found.meetings.map((meeting) => (
            <MeetingRow key={meeting.id} meeting={meeting} />
          ))}
        </Group>
      )}
      {found.deliveries.length + found.events.length === 0 ? null : (
        <Group title={t("deliveries", { count: found.deliveries.length + found.events.length })}>
          {[...found.deliveries, ...found.events].map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </Group>
      )}
    </Stack>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes["group"]}>
      <Title order={2} size="h3" mb="xs">
        {title}
      </Title>
      <ul className={classes["rows"]}>{children}</ul>
    </section>
  );
}
