/** Global commands, filtered by permission. */
import { useMantineColorScheme } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Permission } from "../../../src/contracts/permissions.ts";
import { useTranslation } from "../../base/i18n.ts";
import { may, type Session } from "../../base/session.ts";
import { showDone, showFault } from "../../components/show-fault.tsx";
import { useMay, useSession } from "../session.ts";
import { mainNavItems, otherNavItems } from "../shell/navigation.ts";
import { changeWebhook, refreshWebhooks, webhooksQuery } from "../webhooks/data.ts";
import type { Webhook } from "../webhooks/types.ts";
import type { Command } from "./match.ts";
import { show } from "./shown.ts";

type PageName =
  | "log"
  | "explain"
  | "replays"
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

type Page = Readonly<{ to: string; name: PageName; needs?: Permission }>;

export function useCommands(): Command[] {
  return [...useActions(), ...usePages(), ...useWebhookSwitches()];
}

function useActions(): Command[] {
  const { t } = useTranslation("palette");
  const session = useSession();
  const go = useGo();
  const { setColorScheme } = useMantineColorScheme();
  const making = [
    { to: "/tickets/new", name: "invite", needs: "tickets.write" },
    { to: "/meetings/new", name: "meeting", needs: "conferences.write" },
    { to: "/settings/webhooks/new", name: "webhook", needs: "webhooks.write" },
  ] as const;
  const action = (id: string, label: string, run: () => void): Command => ({
    ...{ id, label, run },
    group: "actions",
  });
  return [
    ...making
      .filter(({ needs }) => isAllowed(session, needs))
      .map(({ to, name }) => action(`new ${name}`, t(`new.${name}`), () => go(to))),
    action("theme light", t("theme.light"), () => setColorScheme("light")),
    action("theme dark", t("theme.dark"), () => setColorScheme("dark")),
    action("theme auto", t("theme.auto"), () => setColorScheme("auto")),
    action("shortcuts", t("shortcuts.title"), () => show("shortcuts")),
  ];
}

const pages: readonly Page[] = [
  { to: "/dashboard/deliveries/log", name: "log", needs: "webhooks.read" },
  { to: "/dashboard/explain", name: "explain", needs: "webhooks.read" },
  { to: "/dashboard/deliveries/replays", name: "replays", needs: "webhooks.read" },
  { to: "/settings/profile", name: "profile" },
  { to: "/settings/tokens", name: "tokens" },
  { to: "/settings/company", name: "company", needs: "enterprises.read" },
  { to: "/settings/domains", name: "domains", needs: "enterprises.read" },
  { to: "/settings/audit", name: "audit", needs: "audit.read" },
  { to: "/settings/users", name: "users", needs: "users.read" },
  { to: "/settings/groups", name: "groups", needs: "users.read" },
  { to: "/settings/services", name: "services", needs: "services.read" },
  { to: "/settings/templates", name: "templates", needs: "services.read" },
  { to: "/settings/alerts", name: "alerts", needs: "webhooks.read" },
];

function usePages(): Command[] {
  const { t } = useTranslation("palette");
  const session = useSession();
  const go = useGo();
  const places = [...mainNavItems, ...otherNavItems].filter(({ needs }) =>
    isAllowed(session, needs),
  );
  return [
    ...places.map(({ to, name }) => ({ to, label: t(`base:${name}`) })),
    ...pages
      .filter(({ needs }) => isAllowed(session, needs))
      .map(({ to, name }) => ({ to, label: t(`pages.${name}`) })),
  ].map(({ to, label }) => ({ id: `page ${to}`, label, group: "pages", run: () => go(to) }));
}

function useGo(): (to: string) => void {
  const navigate = useNavigate();
  return (to) => void navigate({ to } as never);
}

function isAllowed(session: Session, needs: Permission | undefined): boolean {
  return needs === undefined || may(session, needs);
}

function useWebhookSwitches(): Command[] {
  const { t } = useTranslation("palette");
  const client = useQueryClient();
  const mayWrite = useMay("webhooks.write");
  const { data } = useQuery({ ...webhooksQuery, enabled: mayWrite, refetchInterval: false });
  const turn = async ({ id, active }: Webhook, name: string): Promise<void> => {
    try {
      await changeWebhook(id, { active: !active });
      showDone(t(active ? "disabled" : "enabled", { name }));
    } catch (thrown) {
      showFault(thrown);
    }
    await refreshWebhooks(client);
  };
  return (mayWrite ? (data ?? []) : []).map((webhook) => {
    const name = webhook.name === "" ? t("unnamed", { id: webhook.id }) : webhook.name;
    return {
      id: `switch ${webhook.id}`,
      label: t(webhook.active ? "disable" : "enable", { name }),
      group: "actions",
      run: () => void turn(webhook, name),
    };
  });
}
