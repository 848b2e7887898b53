import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatDuration } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
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

export const SessionsCard = ({ ticketId }: { ticketId: number }) => {
  const { t } = useTranslation("tickets");
  const { data, error } = useQuery(sessionsQuery(ticketId));
  if (data === undefined) {
    return error === null ? <Skeleton height={84} /> : null;
  }
  return (
    <Card title={t("sessions.title")}>
      {data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("sessions.none")}
        </Text>
      ) : (
        <ul className={classes["messages"]}>
          {data.data.map((session) => (
            <Line key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  );
};
