import { Anchor, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconMapSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem } from "../../../base/problem.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { findTickets, type FoundTicket } from "../find-tickets.ts";
import { useWords } from "../labels.ts";
import { EventList, Verdicts } from "./event-list.tsx";
import { isEventId, type ExplainRequest, type QuestionSearch } from "./explain-search.ts";
import { eventsOfTicket, explainQuery } from "./subject.ts";

/** The answer to the question in the URL; nothing without a question. */
export function Answer({ search }: { search: QuestionSearch }) {
  const { q, ticket, object, objectId, time } = search;
  if (q !== undefined) {
    return isEventId(q) ? (
      <EventAnswer request={{ event_id: q }} q={q} />
    ) : (
      <TicketsAnswer q={q} chosen={ticket} />
    );
  }
  if (object !== undefined && objectId !== undefined && time !== undefined) {
    return <EventAnswer request={{ object, objectId, time }} q={objectId} />;
  }
  return null;
}

/** The answer for a single event. */
function EventAnswer({ request, q }: { request: ExplainRequest; q: string }) {
  const words = useWords();
  const { data, error, refetch } = useQuery(explainQuery(request));
  if (data === undefined) {
    return error === null ? (
      <Waiting />
    ) : (
      <Fault error={error} onRetry={() => void refetch()} q={q} />
    );
  }
  const { event } = data;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Text fw={600}>
          {words.event(event)} · {words.object(event.object)} {event.object_id} ·{" "}
          <RelativeTime at={event.time} />
        </Text>
        <Verdicts explanation={data} />
      </Stack>
    </Paper>
  );
}

function Fault({ error, onRetry, q }: { error: unknown; onRetry: () => void; q: string }) {
  return asProblem(error).status === 404 ? (
    <Unknown q={q} />
  ) : (
    <ErrorBox error={error} onRetry={onRetry} />
  );
}

function TicketsAnswer({ q, chosen }: { q: string; chosen: string | undefined }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["deliveries", "tickets", q],
    queryFn: () => findTickets(q),
  });
  if (data === undefined) {
    return error === null ? <Waiting /> : <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  const [first, ...others] = data;
  const chosenTicket = data.find(({ id }) => String(id) === chosen);
  if (chosenTicket === undefined && others.length > 0) {
    return <Choose tickets={data} q={q} />;
  }
  const ticket = chosenTicket ?? first;
  const id = ticket?.id ?? (/^\d{1,15}$/u.test(q) ? Number(q) : undefined);
  return id === undefined ? <Unknown q={q} /> : <TicketAnswer id={id} ticket={ticket} />;
}

/**
 * Disambiguation, if a number is one ticket's id and another's reference, or several tickets share
 * a reference.
 */
function Choose({ tickets, q }: { tickets: readonly FoundTicket[]; q: string }) {
  const { t } = useTranslation("deliveries");
  const isNumber = tickets.some(({ id }) => String(id) === q);
  return (
    <Paper withBorder p="md">
      <Text fw={600} mb="xs">
        {isNumber
          ? t("explain.several_both", { q })
          : t("explain.several_reference", { q, count: tickets.length })}
      </Text>
      <Stack gap={6}>
        {tickets.map(({ id, reference, created }) => (
          <Text key={id} size="sm">
            <Anchor
              renderRoot={(props) => (
                <Link {...props} to="/dashboard/explain" search={{ q, ticket: String(id) }} />
              )}
            >
              {t("detail.to_ticket", { id })}
            </Anchor>
            <Reference reference={reference} /> · <RelativeTime at={created} />
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

/** The events of a ticket. An unknown ticket may have been deleted; its events remain. */
function TicketAnswer({ id, ticket }: { id: number; ticket: FoundTicket | undefined }) {
  const { t } = useTranslation("deliveries");
  const { data, error, refetch } = useQuery({
    queryKey: ["deliveries", "explain", "ticket", id, ticket?.created, ticket?.modified],
    queryFn: () =>
      eventsOfTicket(id, ticket === undefined ? [] : [ticket.created, ticket.modified]),
  });
  if (data === undefined) {
    return error === null ? <Waiting /> : <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  const { events, isTruncated } = data;
  if (events.length === 0) {
    return <Unknown q={String(id)} />;
  }
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        <Anchor
          fw={600}
          renderRoot={(props) => (
            <Link {...props} to="/tickets/$ticketId" params={{ ticketId: String(id) }} />
          )}
        >
          {t("detail.to_ticket", { id })}
        </Anchor>
        <Reference reference={ticket?.reference ?? null} />
        {` · ${t("explain.events", { count: events.length })}`}
      </Text>
      {isTruncated ? <Older id={id} /> : null}
      <EventList events={events} />
    </Stack>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack role="status" aria-label={t("state.loading")}>
      <Skeleton height={80} />
      <Skeleton height={160} />
    </Stack>
  );
}

function Unknown({ q }: { q: string }) {
  const { t } = useTranslation("deliveries");
  return (
    <EmptyState
      icon={IconMapSearch}
      title={t("explain.unknown", { q })}
      text={t("explain.unknown_note")}
    />
  );
}

function Reference({ reference }: { reference: string | null }) {
  const { t } = useTranslation("deliveries");
  return reference === null || reference === ""
    ? ""
    : ` · ${t("explain.reference", { reference })}`;
}

/** Only the newest events are listed; this links to the log for the older ones. */
function Older({ id }: { id: number }) {
  const { t } = useTranslation("deliveries");
  const search = { object: "ticket", objectId: String(id) };
  return (
    <Text size="sm" c="dimmed" role="note">
      {t("explain.older")}{" "}
      <Anchor
        underline="always"
        renderRoot={(props) => <Link {...props} to="/dashboard/deliveries/log" search={search} />}
      >
        {t("explain.in_log")}
      </Anchor>
    </Text>
  );
}
