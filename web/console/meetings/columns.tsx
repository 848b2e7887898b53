import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDate, formatDuration } from "../../base/format.ts";
import type { Column } from "../../components/data-table.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { endedBeforeStart, meaningOf, minutesOf, type Meeting } from "./types.ts";
import classes from "./meetings.module.css";

/** Columns of the meeting list. */
export function useColumns(): Column<Meeting>[] {
  const { t } = useTranslation("meetings");
  return useMemo(
    () => [
      {
        id: "name",
        header: t("list.name"),
        cell: (meeting) => <Name meeting={meeting} />,
        isFixed: true,
      },
      {
        id: "status",
        header: t("list.status"),
        cell: (meeting) => (
          <StateBadge meaning={meaningOf[meeting.status]}>
            {t(`status.${meeting.status}`)}
          </StateBadge>
        ),
      },
      {
        id: "start",
        header: t("list.start"),
        cell: (meeting) => (
          <span className={classes["line"]}>
            {endedBeforeStart(meeting) ? (
              t("list.before_start")
            ) : (
              <RelativeTime at={meeting.start_time} />
            )}
          </span>
        ),
      },
      {
        id: "when",
        header: t("list.when"),
        cell: (meeting) => <span className={classes["line"]}>{startOf(meeting)}</span>,
        isMinor: true,
      },
      {
        id: "duration",
        header: t("list.duration"),
        cell: (meeting) => formatDuration(minutesOf(meeting) * 60_000),
        isNumber: true,
        isMinor: true,
      },
      {
        id: "organizer",
        header: t("list.organizer"),
        cell: (meeting) => <span className={classes["line"]}>{meeting.organizer.name}</span>,
        isMinor: true,
      },
      {
        id: "id",
        header: t("list.id"),
        cell: (meeting) => <span className="mono">{meeting.id}</span>,
        isNumber: true,
        isMinor: true,
      },
    ],
    [t],
  );
}

function Name({ meeting }: { meeting: Meeting }) {
  return (
    <div className={classes["name"]} title={meeting.name}>
      <Anchor
        size="sm"
        fw={600}
        c="var(--text)"
        renderRoot={(props) => (
          <Link
            to="/meetings/$conferenceId"
            params={{ conferenceId: String(meeting.id) }}
            {...props}
          />
        )}
      >
        {meeting.name}
      </Anchor>
    </div>
  );
}

function startOf({ start_time }: Meeting): string {
  return formatDate(new Date(start_time), {
    ...{ weekday: "short", year: "numeric", month: "short", day: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit" },
  });
}
