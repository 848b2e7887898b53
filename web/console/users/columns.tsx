import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import type { User } from "./queries.ts";
import classes from "./users.module.css";

const Who = ({ user, role }: { user: User; role: string }) => (
  <span className={classes["who"]}>
    <span className={classes["name"]}>{user.nickname === "" ? user.login : user.nickname}</span>
    {user.nickname === "" ? null : <span className={classes["login"]}>{user.login}</span>}
    <span className={classes["short"]}>{role}</span>
  </span>
);

export const useColumns = (): ColumnDef<User>[] => {
  const { t } = useTranslation("users");
  return useMemo(
    () => [
      {
        id: "who",
        header: t("field.name"),
        enableHiding: false,
        cell: ({ row }) => <Who user={row.original} role={t(`role.${row.original.role}`)} />,
      },
      {
        id: "role",
        header: t("field.role"),
        meta: { isMinor: true },
        accessorFn: ({ role }) => t(`role.${role}`),
      },
      {
        id: "groups",
        header: t("field.groups"),
        meta: { isMinor: true },
        accessorFn: ({ groups }) => groups.map(({ name }) => name).join(", ") || "–",
      },
      {
        id: "state",
        header: t("field.state"),
        cell: ({ row }) =>
          row.original.isActive ? (
            <StateBadge meaning="good">{t("state.active")}</StateBadge>
          ) : (
            <StateBadge meaning="neutral">{t("state.off")}</StateBadge>
          ),
      },
      {
        id: "phone",
        header: t("field.phone"),
        meta: { isMinor: true },
        accessorFn: ({ phone }) => phone || "–",
      },
      {
        id: "created",
        header: t("field.created"),
        meta: { isMinor: true },
        cell: ({ row }) => <RelativeTime at={row.original.created} />,
      },
    ],
    [t],
  );
};
