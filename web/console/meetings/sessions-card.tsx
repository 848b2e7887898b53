/** The sessions of a meeting: time, participants and duration. */
import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration } from "../../base/format.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { Section } from "../../components/section.tsx";
import { SessionLine } from "../../components/session-line.tsx";
import { SessionPeople } from "../../components/session-people.tsx";
import { sessionsQuery } from "./queries.ts";
import type { Meeting, MeetingSession } from "./types.ts";
import classes from "./meetings.module.css";

export function SessionsCard({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { data, error, refetch } = useQuery(sessionsQuery(meeting));
  return (
    <Section title={t("sessions.title")}>
      {data === undefined && error === null ? <Skeleton height={60} /> : null}
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : <List {...data} />}
    </Section>
  );
}

type ListProps = Readonly<{ total: number; data: readonly MeetingSession[] }>;

function List({ total, data }: ListProps) {
  const { t } = useTranslation("meetings");
  if (data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("sessions.none")}
      </Text>
    );
  }
  return (
    <>
      {total > data.length ? (
        <Text size="xs" c="dimmed" mb="xs">
          {t("sessions.newest", { count: data.length })}
        </Text>
      ) : null}
      <ul className={classes["sessions"]} tabIndex={0} aria-label={t("sessions.title")}>
        {data.map((session) => (
          <Line key={session.id} session={session} />
        ))}
      </ul>
    </>
  );
}

function Line({ session }: { session: MeetingSession }) {
  const { t } = useTranslation("meetings");
  const { total_participant_count: count, end_reason: reason } = session;
  const { start_time: start, end_time: end, billing_duration: billed } = session;
  return (
    <li>
      <SessionLine
        startedAt={start}
        about={
          t("sessions.people", { count }) + (reason === null ? "" : ` · ${t(`sessions.${reason}`)}`)
        }
        lengths={
          end === null
            ? undefined
            : {
                whole: between(start, end),
                billed: t("sessions.billed", { length: formatDuration((billed ?? 0) * 1_000) }),
              }
        }
        now={t("sessions.now")}
      />
      <SessionPeople people={session.participants} />
    </li>
  );
}

function between(start: string, end: string): string {
  return formatDuration(Date.parse(end) - Date.parse(start));
}
