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
    | "tokens"
    | "company"
    | "domains"
    | "audit"
    | "users"
    | "groups"
    | "services"
    | "templates"
    | "alerts";
  needs?: Permission;
}>;

type SectionGroup = Readonly<{
  name: "group_you" | "group_company" | "group_people" | "group_help" | "group_webhooks";
  sections: readonly Section[];
}>;

const groups: readonly SectionGroup[] = [
  {
    name: "group_you",
    sections: [
      { to: "/settings/profile", name: "profile" },
      { to: "/settings/tokens", name: "tokens" },
    ],
  },
  {
    name: "group_company",
    sections: [
      { to: "/settings/company", name: "company", needs: "enterprises.read" },
      { to: "/settings/domains", name: "domains", needs: "enterprises.read" },
      { to: "/settings/audit", name: "audit", needs: "audit.read" },
    ],
  },
  {
    name: "group_people",
    sections: [
      { to: "/settings/users", name: "users", needs: "users.read" },
      { to: "/settings/groups", name: "groups", needs: "users.read" },
    ],
  },
  {
    name: "group_help",
    sections: [
      { to: "/settings/services", name: "services", needs: "services.read" },
      { to: "/settings/templates", name: "templates", needs: "services.read" },
    ],
  },
  {
    name: "group_webhooks",
    sections: [{ to: "/settings/alerts", name: "alerts", needs: "webhooks.read" }],
  },
];

const everySection = groups.flatMap(({ sections }) => sections);

/** Settings by subject; hides those without permission. */
export function SettingsLayout() {
  const { t } = useTranslation("settings");
  const session = useSession();
  const here = useRouterState({ select: ({ location }) => location.pathname });
  const isAllowed = ({ needs }: Section): boolean => needs === undefined || may(session, needs);
  const present = everySection.find(({ to }) => here === to || here.startsWith(`${to}/`));
  return (
    <div className={classes["layout"]}>
      <SettingsMenu present={present} isAllowed={isAllowed} />
      <div className={classes["page"]}>
        {present === undefined || isAllowed(present) ? (
          <Outlet />
        ) : (
          <EmptyState
            icon={IconLock}
            title={t("sections.closed")}
            text={t("sections.closed_note")}
          />
        )}
      </div>
    </div>
  );
}

type MenuProps = Readonly<{
  present: Section | undefined;
  isAllowed: (section: Section) => boolean;
}>;

/** A sidebar; on narrow screens a scrolling line. */
function SettingsMenu({ present, isAllowed }: MenuProps) {
  const { t } = useTranslation("settings");
  const seen = groups
    .map(({ name, sections }) => ({ name, sections: sections.filter(isAllowed) }))
    .filter(({ sections }) => sections.length > 0);
  return (
    <nav className={classes["sections"]} aria-label={t("sections.all")}>
      {seen.map(({ name, sections }) => (
        <div
          key={name}
          className={classes["group"]}
          role="group"
          aria-label={t(`sections.${name}`)}
        >
          <span className={classes["title"]} aria-hidden>
            {t(`sections.${name}`)}
          </span>
          {sections.map((section) => (
            <Link
              key={section.to}
              to={section.to}
              className={classes["section"]}
              aria-current={present === section ? "page" : undefined}
            >
              {t(`sections.${section.name}`)}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
