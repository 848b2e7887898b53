import { Anchor, Text } from "@mantine/core";
import { IconPlayerRecordFilled } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import type { Column } from "../../components/data-table.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useMay } from "../session.ts";
import { People } from "./people.tsx";
import type { LiveRoom } from "./types.ts";
import { WatchButton } from "./watch-button.tsx";
import classes from "./rooms.module.css";

/** Columns of the list of live rooms. */
export function useColumns(): Column<LiveRoom>[] {
  const { t } = useTranslation("rooms");
  const mayWatch = useMay("rooms.watch");
  return useMemo(
    () => [
      {
        id: "room",
        header: t("list.room"),
        cell: (room) => <Room room={room} mayWatch={mayWatch} />,
        isFixed: true,
      },
      {
        id: "people",
        header: t("list.people"),
        cell: ({ people }) => <People people={people} />,
      },
      {
        id: "started",
        header: t("list.started"),
        cell: ({ start_time: at }) => (
          <span className={classes["line"]}>
            <RelativeTime at={at} />
          </span>
        ),
        isMinor: true,
      },
      {
        id: "route",
        header: t("list.route"),
        cell: ({ media_route: route }) => t(`route.${route}`),
        isMinor: true,
      },
      ...(mayWatch
        ? [
            {
              id: "watch",
              header: t("watch.actions"),
              ...{ isHeard: true, isFixed: true },
              // On a phone, the button is in the first column.
              isMinor: true,
              cell: (room: LiveRoom) => <WatchButton room={room} />,
            },
          ]
        : []),
    ],
    [t, mayWatch],
  );
}

function Room({ room, mayWatch }: Readonly<{ room: LiveRoom; mayWatch: boolean }>) {
  const { t } = useTranslation("rooms");
  const about = [
    t(`type.${room.type}`, { id: String(room.subject_id) }),
    room.reference,
    room.service.name,
  ];
  return (
    <div className={classes["room"]}>
      <SubjectLink room={room} />
      <Text size="xs" c="dimmed">
        {about.filter((part) => part !== "").join(" · ")}
      </Text>
      {room.is_recorded ? (
        <span className={classes["recorded"]}>
          <IconPlayerRecordFilled size={12} aria-hidden />
          {t("recorded")}
        </span>
      ) : null}
      {mayWatch ? (
        <div className={classes["narrow"]}>
          <WatchButton room={room} />
        </div>
      ) : null}
    </div>
  );
}

/** Leads to the page of the ticket or meeting. */
function SubjectLink({ room }: { room: LiveRoom }) {
  const { t } = useTranslation("rooms");
  const id = String(room.subject_id);
  return (
    <Anchor
      size="sm"
      fw={600}
      c="var(--text)"
      renderRoot={(props) =>
        room.type === "ticket" ? (
          <Link to="/tickets/$ticketId" params={{ ticketId: id }} {...props} />
        ) : (
          <Link to="/meetings/$conferenceId" params={{ conferenceId: id }} {...props} />
        )
      }
    >
      {room.name === "" ? t("unnamed") : room.name}
    </Anchor>
  );
}
