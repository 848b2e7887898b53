import {
  IconBroadcast,
  IconChartBar,
  IconMessage2,
  IconServerCog,
  IconSettings,
  IconTicket,
  IconUsersGroup,
  IconVideo,
  IconWebhook,
  type Icon,
} from "@tabler/icons-react";
import type { Permission } from "../../../src/contracts/permissions.ts";

export type NavItem = Readonly<{
  to:
    | "/tickets"
    | "/meetings"
    | "/rooms"
    | "/dashboard/deliveries"
    | "/settings/webhooks"
    | "/settings"
    | "/messages"
    | "/statistics"
    | "/platform";
  /** Text key of the name. */
  name:
    | "nav.tickets"
    | "nav.meetings"
    | "nav.rooms"
    | "nav.deliveries"
    | "nav.webhooks"
    | "nav.settings"
    | "nav.messages"
    | "nav.statistics"
    | "nav.platform";
  icon: Icon;
  /** Other URLs of the same item. */
  also?: readonly string[];
  /** Required permission; undefined for all users. */
  needs?: Permission;
}>;

/** The main items of the navigation. */
export const mainNavItems: readonly NavItem[] = [
  {
    to: "/tickets",
    name: "nav.tickets",
    icon: IconTicket,
    also: ["/agent"],
    needs: "tickets.read",
  },
  { to: "/meetings", name: "nav.meetings", icon: IconUsersGroup, needs: "conferences.read" },
  { to: "/rooms", name: "nav.rooms", icon: IconVideo, needs: "conversations.read" },
  {
    to: "/dashboard/deliveries",
    name: "nav.deliveries",
    icon: IconBroadcast,
    also: ["/dashboard/explain"],
    needs: "webhooks.read",
  },
  { to: "/settings/webhooks", name: "nav.webhooks", icon: IconWebhook, needs: "webhooks.read" },
  { to: "/settings", name: "nav.settings", icon: IconSettings },
];

export const otherNavItems: readonly NavItem[] = [
  { to: "/messages", name: "nav.messages", icon: IconMessage2, needs: "messages.read" },
  { to: "/statistics", name: "nav.statistics", icon: IconChartBar, needs: "stats.read" },
  { to: "/platform", name: "nav.platform", icon: IconServerCog, needs: "platform.read" },
];

const everyPlace = [...mainNavItems, ...otherNavItems];

/** The item with the longest matching URL prefix. */
export function navItemAt(path: string): NavItem | undefined {
  return everyPlace
    .filter(({ to, also }) => [to, ...(also ?? [])].some((place) => isBelow(path, place)))
    .toSorted((a, b) => b.to.length - a.to.length)[0];
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
