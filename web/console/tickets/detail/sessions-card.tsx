import { Anchor, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { SessionLine } from "../../../components/session-line.tsx";
import { SessionPeople } from "../../../components/session-people.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { sessionsQuery } from "./queries.ts";
import type { TicketSession } from "../types.ts";
import { Card } from "./card.tsx";
import classes from "./detail.module.css";

export function SessionsCard({ ticketId }: { ticketId: number }) {
  const { t } = useTranslation("tickets");
  const result = useQuery(sessionsQuery(ticketId));
  const fault = useFault(result);
  return (
    <Card
      title={t("sessions.title")}
      aside={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/tickets/$ticketId/report"
              params={{ ticketId: String(ticketId) }}
            />
          )}
        >
          {t("report.title")}
        </Anchor>
      }
    >
      {fault === null ? null : <ErrorBox error={fault} onRetry={() => void result.refetch()} />}
      {result.data === undefined && fault === null ? <Skeleton height={40} /> : null}
      {result.data === undefined ? null : <Sessions {...result.data} />}
    </Card>
  );
}

type SessionsProps = Readonly<{ total: number; data: readonly TicketSession[] }>;

function Sessions({ total, data }: SessionsProps) {
  const { t } = useTranslation("tickets");
  return data.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t("sessions.none")}
    </Text>
  ) : (
    <>
      {total > data.length ? (
        <Text size="xs" c="dimmed" mb="xs">
          {t("sessions.newest", { count: data.length })}
        </Text>
      ) : null}
      <ul className={classes["messages"]}>
        {data.map((session) => (
          <Line key={session.id} session={session} />
        ))}
      </ul>
    </>
  );
}

function Line({ session }: { session: TicketSession }) {
  const { t } = useTranslation("tickets");
  const { total_participant_count: count, end_reason: reason } = session;
  return (
    <li>
      <SessionLine
        startedAt={session.start_time}
        about={
          t("sessions.people", { count }) + (reason === null ? "" : ` · ${t(`sessions.${reason}`)}`)
        }
        lengths={
          session.end_time === null
            ? undefined
            : {
                whole: t("sessions.call", { length: seconds(session.call_duration) }),
                billed: t("sessions.billed", { length: seconds(session.billing_duration) }),
              }
        }
        now={t("sessions.now")}
      />
      <SessionPeople people={session.participants} />
    </li>
  );
}

function seconds(value: number | null): string {
  return formatDuration((value ?? 0) * 1_000);
}
