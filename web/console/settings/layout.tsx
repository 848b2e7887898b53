import { Outlet, useRouterState, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Permission } from "../../../src/contracts/permissions.ts";
import { may } from "../../base/session.ts";
import { useSession } from "../session.ts";
import classes from "./layout.module.css";

type Section = Readonly<{
  to: string;
  name: "profile" | "company" | "domains" | "tokens" | "audit";
  needs?: Permission;
}>;

const sections: readonly Section[] = [
  { to: "/settings/profile", name: "profile" },
  { to: "/settings/company", name: "company", needs: "enterprises.read" },
  { to: "/settings/domains", name: "domains", needs: "enterprises.read" },
  { to: "/settings/tokens", name: "tokens" },
  { to: "/settings/audit", name: "audit", needs: "audit.read" },
];

/** What can be set, by subject; what the role may not see is not named. */
export const SettingsLayout = () => {
  const { t } = useTranslation("settings");
  const session = useSession();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <>
      <nav className={classes["sections"]} aria-label={t("sections.all")}>
        {sections
          .filter(({ needs }) => needs === undefined || may(session, needs))
          .map(({ to, name }) => (
            <Link
              key={to}
              to={to}
              className={classes["section"]}
              aria-current={here.startsWith(to) ? "page" : undefined}
            >
              {t(`sections.${name}`)}
            </Link>
          ))}
      </nav>
      <Outlet />
    </>
  );
};
