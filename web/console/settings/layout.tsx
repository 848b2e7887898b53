import { IconLock } from "@tabler/icons-react";
import { Outlet, useRouterState, Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import type { Permission } from "../../../src/contracts/permissions.ts";
import { may } from "../../base/session.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { useSession } from "../session.ts";
import classes from "./layout.module.css";

type Section = Readonly<{
  to: string;
  name:
    | "profile"
    | "company"
    | "users"
    | "groups"
    | "services"
    | "templates"
    | "domains"
    | "tokens"
    | "audit";
  needs?: Permission;
}>;

const sections: readonly Section[] = [
  { to: "/settings/profile", name: "profile" },
  { to: "/settings/company", name: "company", needs: "enterprises.read" },
  { to: "/settings/users", name: "users", needs: "users.read" },
  { to: "/settings/groups", name: "groups", needs: "users.read" },
  { to: "/settings/services", name: "services", needs: "services.read" },
  { to: "/settings/templates", name: "templates", needs: "services.read" },
  { to: "/settings/domains", name: "domains", needs: "enterprises.read" },
  { to: "/settings/tokens", name: "tokens" },
  { to: "/settings/audit", name: "audit", needs: "audit.read" },
];

/** What can be set, by subject; what the role may not see is not named. */
export const SettingsLayout = () => {
  const { t } = useTranslation("settings");
  const session = useSession();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const isAllowed = ({ needs }: Section): boolean => needs === undefined || may(session, needs);
  const present = sections.find(({ to }) => here === to || here.startsWith(`${to}/`));
  return (
    <>
      <nav className={classes["sections"]} aria-label={t("sections.all")}>
        {sections.filter(isAllowed).map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            className={classes["section"]}
            aria-current={present?.to === to ? "page" : undefined}
          >
            {t(`sections.${name}`)}
          </Link>
        ))}
      </nav>
      {present === undefined || isAllowed(present) ? (
        <Outlet />
      ) : (
        <EmptyState icon={IconLock} title={t("sections.closed")} text={t("sections.closed_note")} />
      )}
    </>
  );
};
