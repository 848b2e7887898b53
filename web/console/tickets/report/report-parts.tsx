/** The parts of a report, depending on permission. */
import { Skeleton, Text, Title } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useId, type ComponentType, type ReactNode } from "react";
import { formatExact } from "../../../base/format.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useSession } from "../../session.ts";
import { reaches } from "../allowed-actions.ts";
import { Facts } from "../detail/card.tsx";
import { useAccuracy } from "../detail/use-accuracy.ts";
import { isShown } from "../media/media-tile.tsx";
import { isTicketState, type Media, type Ticket, type TimelineEvent } from "../types.ts";
import { Files, Messages, People, Photos, Sessions, TimelineTable } from "./report-lists.tsx";
import { peopleOfReport } from "./people.ts";
import {
  reportMediasQuery,
  reportMessagesQuery,
  reportSessionsQuery,
  reportTimelineQuery,
} from "./queries.ts";
import classes from "./report.module.css";

export function ReportParts({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const hasMedia = reaches(session, "media.read", ticket);
  const hasChat = reaches(session, "conversations.read", ticket);
  const medias = { ...reportMediasQuery(ticket.id), enabled: hasMedia };
  const photos = useQuery({ ...medias, select: photosOf });
  const files = useQuery({ ...medias, select: filesOf });
  const sessions = useQuery(reportSessionsQuery(ticket.id));
  const messages = useQuery({ ...reportMessagesQuery(ticket.id), enabled: hasChat });
  const timeline = useQuery(reportTimelineQuery(ticket.id));
  const events = timeline.data ?? [];
  // Waits for all parts, to avoid layout shift.
  if ([photos, files, sessions, messages, timeline].some(({ isLoading }) => isLoading)) {
    return <Skeleton height={320} />;
  }
  return (
    <>
      <Part title={t("report.ticket")}>
        <TicketFacts ticket={ticket} events={events} />
      </Part>
      <Part title={t("report.people")}>
        <People people={peopleOfReport({ ticket, events, messages: messages.data ?? [] })} />
      </Part>
      <Asked title={t("sessions.title")} result={sessions} list={Sessions} />
      {hasMedia ? (
        <>
          <Asked title={t("report.photos")} result={photos} list={Photos} />
          <Asked title={t("report.files")} result={files} list={Files} />
        </>
      ) : null}
      {hasChat ? <Asked title={t("chat.title")} result={messages} list={Messages} /> : null}
      <Asked title={t("timeline.title")} result={timeline} list={TimelineTable} />
    </>
  );
}

function photosOf(medias: readonly Media[]): readonly Media[] {
  return medias.filter(isShown);
}

function filesOf(medias: readonly Media[]): readonly Media[] {
  return medias.filter((media) => !isShown(media));
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes["part"]} aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}

type AskedProps<T> = Readonly<{
  title: string;
  result: UseQueryResult<readonly T[]>;
  list: ComponentType<Readonly<{ items: readonly T[] }>>;
}>;

/** A part with its own query: error, empty or loaded. */
function Asked<T>({ title, result, list: List }: AskedProps<T>) {
  const { t } = useTranslation("tickets");
  const { data, error, refetch } = result;
  return (
    <Part title={title}>
      {data === undefined ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("report.none")}
        </Text>
      ) : (
        <List items={data} />
      )}
    </Part>
  );
}

function TicketFacts({ ticket, events }: { ticket: Ticket; events: readonly TimelineEvent[] }) {
  const { t } = useTranslation("tickets");
  const text = (name: string, value: string | null): (readonly [string, ReactNode])[] =>
    value === null || value === "" ? [] : [[name, value]];
  const { state, requestor } = ticket;
  return (
    <Facts
      facts={[
        ...text(t("field.subject"), ticket.subject),
        ...text(t("field.description"), ticket.description),
        ...text(t("field.reference"), ticket.reference),
        ...text(t("field.company"), requestor.company ?? null),
        [t("report.state"), isTicketState(state) ? t(`state.${state}`) : state],
        [t("report.created"), formatExact(new Date(ticket.created))],
        [t("detail.position"), <Position key="position" ticket={ticket} events={events} />],
      ]}
    />
  );
}

/** The customer's position with its accuracy and time. */
function Position({ ticket, events }: { ticket: Ticket; events: readonly TimelineEvent[] }) {
  const { t } = useTranslation("tickets");
  const allowed = events.findLast(({ eventType }) => eventType === "geo.ansAllowed");
  const { geoloc } = ticket;
  const accuracy = useAccuracy(ticket);
  if (geoloc === null) {
    return t("detail.no_position");
  }
  const at = allowed === undefined ? "" : ` · ${formatExact(new Date(allowed.created))}`;
  const radius = accuracy === undefined ? "" : ` (${accuracy})`;
  return `${geoloc.lat}, ${geoloc.lng}${radius}${at}`;
}
