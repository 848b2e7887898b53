import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { isEmail, meaningOf, type Channel, type Message } from "./types.ts";
import classes from "./messages.module.css";

/** The columns of a list: mails are known by their subject, SMS by their words. */
export const useColumns = (channel: Channel): ColumnDef<Message>[] => {
  const { t } = useTranslation("messages");
  return useMemo(
    () => [
      {
        id: "to",
        header: t("list.to"),
        cell: ({ row: { original } }) => <span className={classes["line"]}>{original.to}</span>,
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
        id: "text",
        header: t(channel === "email" ? "list.subject" : "list.text"),
        cell: ({ row: { original } }) => {
          const words = isEmail(original) ? original.subject : original.text;
          return (
            <div className={classes["words"]} title={words}>
              {words}
            </div>
          );
        },
        meta: { isMinor: true },
      },
      ...(channel === "sms"
        ? [
            {
              id: "segments",
              header: t("list.segments"),
              cell: ({ row: { original } }) => (isEmail(original) ? "" : original.segments),
              meta: { isNumber: true, isMinor: true },
            } satisfies ColumnDef<Message>,
          ]
        : []),
      {
        id: "created",
        header: t("list.created"),
        cell: ({ row: { original } }) => (
          <span className={classes["line"]}>
            <RelativeTime at={original.created} />
          </span>
        ),
      },
    ],
    [t, channel],
  );
};
