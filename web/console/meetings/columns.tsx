import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatDate, formatDuration } from "../../base/format.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { meaningOf, minutesOf, type Meeting } from "./types.ts";
import classes from "./meetings.module.css";

const startOf = ({ start_time }: Meeting): string =>
  formatDate(new Date(start_time), {
    ...{ weekday: "short", year: "numeric", month: "short", day: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit" },
  });

const Name = ({ meeting }: { meeting: Meeting }) => (
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

/** What the list tells of each meeting. */
export const useColumns = (): ColumnDef<Meeting>[] => {
  const { t } = useTranslation("meetings");
  return useMemo(
    () => [
      {
        id: "name",
        header: t("list.name"),
        cell: ({ row: { original } }) => <Name meeting={original} />,
        enableHiding: false,
      },
      {
        id: "status",
        header: t("list.status"),
        cell: ({ row: { original } }) => (
          <StateBadge meaning={meaningOf[original.status]}>
            {t(`status.${original.status}`)}
          </StateBadge>
        ),
      },
      {
        id: "start",
        header: t("list.start"),
        cell: ({ row: { original } }) => (
          <span className={classes["line"]}>
            <RelativeTime at={original.start_time} />
          </span>
        ),
      },
      {
        id: "when",
        header: t("list.when"),
        cell: ({ row: { original } }) => (
          <span className={classes["line"]}>{startOf(original)}</span>
        ),
        meta: { isMinor: true },
      },
      {
        id: "duration",
        header: t("list.duration"),
        cell: ({ row: { original } }) => formatDuration(minutesOf(original) * 60_000),
        meta: { isNumber: true, isMinor: true },
      },
      {
        id: "organizer",
        header: t("list.organizer"),
        cell: ({ row: { original } }) => (
          <span className={classes["line"]}>{original.organizer.name}</span>
        ),
        meta: { isMinor: true },
      },
      {
        id: "id",
        header: t("list.id"),
        cell: ({ row: { original } }) => <span className="mono">{original.id}</span>,
        meta: { isNumber: true, isMinor: true },
      },
    ],
    [t],
  );
};
