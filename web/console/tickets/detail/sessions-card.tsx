import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatDuration } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { sessionsQuery } from "../queries.ts";
import type { TicketSession } from "../types.ts";
import { Card } from "./card.tsx";
import classes from "./detail.module.css";

const seconds = (value: number | null): string => formatDuration((value ?? 0) * 1_000);

const Line = ({ session }: { session: TicketSession }) => {
  const { t } = useTranslation("tickets");
  return (
    <li className={classes["session"]}>
      <div>
        <Text size="sm">
          <RelativeTime at={session.start_time} />
        </Text>
        <Text size="xs" c="dimmed">
          {t("sessions.people", { count: session.total_participant_count })}
          {session.end_reason === null ? "" : ` · ${t(`sessions.${session.end_reason}`)}`}
        </Text>
      </div>
      {session.end_time === null ? (
        <StateBadge meaning="good">{t("sessions.now")}</StateBadge>
      ) : (
        <div className={classes["lengths"]}>
          <Text size="sm">{t("sessions.call", { length: seconds(session.call_duration) })}</Text>
          <Text size="xs" c="dimmed">
            {t("sessions.billed", { length: seconds(session.billing_duration) })}
          </Text>
        </div>
      )}
    </li>
  );
};

const Sessions = ({ sessions }: { sessions: readonly TicketSession[] }) => {
  const { t } = useTranslation("tickets");
  return sessions.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t("sessions.none")}
    </Text>
  ) : (
    <ul className={classes["messages"]}>
      {sessions.map((session) => (
        <Line key={session.id} session={session} />
      ))}
    </ul>
  );
};

export const SessionsCard = ({ ticketId }: { ticketId: number }) => {
  const { t } = useTranslation("tickets");
  const asked = useQuery(sessionsQuery(ticketId));
  const fault = useFault(asked);
  return (
    <Card title={t("sessions.title")}>
      {fault === null ? null : <ErrorBox error={fault} onRetry={() => void asked.refetch()} />}
      {asked.data === undefined && fault === null ? <Skeleton height={40} /> : null}
      {asked.data === undefined ? null : <Sessions sessions={asked.data.data} />}
    </Card>
  );
};
