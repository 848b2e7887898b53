/** The lists of a report. */
import { Table } from "@mantine/core";
import { formatBytes, formatDuration, formatExact } from "../../../base/format.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { actorName } from "../timeline/event-actor.ts";
import { useSentence } from "../timeline/use-sentence.ts";
import type { ChatMessage, Media, TicketSession, TimelineEvent } from "../types.ts";
import type { ReportPerson } from "./people.ts";
import classes from "./report.module.css";

type ListProps<T> = Readonly<{ items: readonly T[] }>;

export function People({ people }: { people: readonly ReportPerson[] }) {
  const { t } = useTranslation("tickets");
  return (
    <Table aria-label={t("report.people")}>
      <Table.Tbody>
        {people.map(({ name, role, contacts }) => (
          <Table.Tr key={name}>
            <Table.Td>{name}</Table.Td>
            <Table.Td>{t(`report.${role}`)}</Table.Td>
            <Table.Td>{contacts.join(" · ")}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function Sessions({ items }: ListProps<TicketSession>) {
  const { t } = useTranslation("tickets");
  const length = (seconds: number | null): string => formatDuration((seconds ?? 0) * 1_000);
  return (
    <Table aria-label={t("sessions.title")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("report.start")}</Table.Th>
          <Table.Th>{t("report.end")}</Table.Th>
          <Table.Th>{t("report.in_call")}</Table.Th>
          <Table.Th>{t("report.billed")}</Table.Th>
          <Table.Th>{t("report.people")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((session) => (
          <Table.Tr key={session.id}>
            <Table.Td>{formatExact(new Date(session.start_time))}</Table.Td>
            <Table.Td>
              {session.end_time === null
                ? t("sessions.now")
                : formatExact(new Date(session.end_time))}
            </Table.Td>
            <Table.Td>{length(session.call_duration)}</Table.Td>
            <Table.Td>{length(session.billing_duration)}</Table.Td>
            <Table.Td>{session.total_participant_count}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Not lazily loaded, because printing does not scroll. */
export function Photos({ items }: ListProps<Media>) {
  return (
    <div className={classes["photos"]}>
      {items.map((media) => (
        <figure key={media.id} className={classes["photo"]} data-photo={media.id}>
          <img src={media.url} alt={media.description ?? media.title} />
          <figcaption>
            <strong>{media.title}</strong>
            <span>{formatExact(new Date(media.created))}</span>
            {media.owner.name === "" ? null : <span>{media.owner.name}</span>}
            {media.geoloc === null ? null : (
              <span>{`${media.geoloc.lat}, ${media.geoloc.lng}`}</span>
            )}
            {media.description === null ? null : <p>{media.description}</p>}
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

export function Files({ items }: ListProps<Media>) {
  const { t } = useTranslation("tickets");
  return (
    <Table aria-label={t("report.files")}>
      <Table.Tbody>
        {items.map((media) => (
          <Table.Tr key={media.id}>
            <Table.Td>
              {media.title}
              {media.description === null ? null : <p>{media.description}</p>}
            </Table.Td>
            <Table.Td>{formatBytes(media.filesize)}</Table.Td>
            <Table.Td>{media.owner.name}</Table.Td>
            <Table.Td>{formatExact(new Date(media.created))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function Messages({ items }: ListProps<ChatMessage>) {
  const { t } = useTranslation("tickets");
  return (
    <Table aria-label={t("chat.title")}>
      <Table.Tbody>
        {items.map((message) => (
          <Table.Tr key={message.id}>
            <Table.Td className={classes["when"] ?? ""}>
              {formatExact(new Date(message.created))}
            </Table.Td>
            <Table.Td>{message.name === "" ? t("source.guest") : message.name}</Table.Td>
            <Table.Td className={classes["text"] ?? ""}>{message.text}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function TimelineTable({ items }: ListProps<TimelineEvent>) {
  const { t } = useTranslation("tickets");
  return (
    <Table aria-label={t("timeline.title")}>
      <Table.Tbody>
        {items.map((event) => (
          <TimelineRow key={event.id} event={event} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function TimelineRow({ event }: { event: TimelineEvent }) {
  const { t } = useTranslation("tickets");
  const sentence = useSentence(event);
  return (
    <Table.Tr data-type={event.eventType}>
      <Table.Td className={classes["when"] ?? ""}>{formatExact(new Date(event.created))}</Table.Td>
      <Table.Td>
        {sentence}
        {event.eventType === "media.OCRDone" ? (
          <pre className={`mono ${classes["text"]}`}>{event.text}</pre>
        ) : null}
      </Table.Td>
      <Table.Td>{actorName(event) ?? t(`source.${event.source}`)}</Table.Td>
    </Table.Tr>
  );
}
