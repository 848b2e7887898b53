import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import type { Column } from "../../components/data-table.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { isEmail, meaningOf, type Message } from "./types.ts";
import type { Channel } from "../../../src/contracts/invitations.ts";
import classes from "./messages.module.css";

/** Columns of a list: mails show their subject, SMS their text. */
export function useColumns(channel: Channel): Column<Message>[] {
  const { t } = useTranslation("messages");
  return useMemo(
    () => [
      {
        id: "to",
        header: t("list.to"),
        cell: (message) => <span className={classes["line"]}>{message.to}</span>,
        isFixed: true,
      },
      {
        id: "status",
        header: t("list.status"),
        cell: (message) => (
          <StateBadge meaning={meaningOf[message.status]}>
            {t(`status.${message.status}`)}
          </StateBadge>
        ),
      },
      {
        id: "text",
        header: t(channel === "email" ? "list.subject" : "list.text"),
        cell: (message) => {
          const words = isEmail(message) ? message.subject : message.text;
          return (
            <div className={classes["words"]} title={words}>
              {words}
            </div>
          );
        },
        isMinor: true,
      },
      ...(channel === "sms"
        ? [
            {
              id: "segments",
              header: t("list.segments"),
              cell: (message) => (isEmail(message) ? "" : message.segments),
              isNumber: true,
              isMinor: true,
            } satisfies Column<Message>,
          ]
        : []),
      {
        id: "created",
        header: t("list.created"),
        cell: (message) => (
          <span className={classes["line"]}>
            <RelativeTime at={message.created} />
          </span>
        ),
      },
    ],
    [t, channel],
  );
}
