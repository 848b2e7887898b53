import { useMemo } from "react";
import { useTranslation } from "../../base/i18n.ts";
import type { Column } from "../../components/data-table.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import type { User } from "./queries.ts";
import classes from "./users.module.css";

export function useColumns(): Column<User>[] {
  const { t } = useTranslation("users");
  return useMemo(
    () => [
      {
        id: "who",
        header: t("field.name"),
        isFixed: true,
        cell: (user) => <Who user={user} role={t(`role.${user.role}`)} />,
      },
      {
        id: "role",
        header: t("field.role"),
        isMinor: true,
        cell: ({ role }) => t(`role.${role}`),
      },
      {
        id: "groups",
        header: t("field.groups"),
        isMinor: true,
        cell: ({ groups }) => groups.map(({ name }) => name).join(", ") || "–",
      },
      {
        id: "state",
        header: t("field.state"),
        cell: (user) =>
          user.isActive ? (
            <StateBadge meaning="good">{t("state.active")}</StateBadge>
          ) : (
            <StateBadge meaning="neutral">{t("state.off")}</StateBadge>
          ),
      },
      {
        id: "phone",
        header: t("field.phone"),
        isMinor: true,
        cell: ({ phone }) => phone || "–",
      },
      {
        id: "created",
        header: t("field.created"),
        isMinor: true,
        cell: (user) => <RelativeTime at={user.created} />,
      },
    ],
    [t],
  );
}

function Who({ user, role }: { user: User; role: string }) {
  return (
    <span className={classes["who"]}>
      <span className={classes["name"]}>{user.nickname === "" ? user.login : user.nickname}</span>
      {user.nickname === "" ? null : <span className={classes["login"]}>{user.login}</span>}
      <span className={classes["short"]}>{role}</span>
    </span>
  );
}
