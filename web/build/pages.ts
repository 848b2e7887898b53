/** A built page: its folder below `web/`. */
export type BuiltPage = Readonly<{
  folder: string;
  /**
   * `application`: for staff, with Mantine; `for-old-browsers`: for customers; `call`: with a call,
   * loaded in chunks.
   */
  kind?: "application" | "for-old-browsers" | "call";
}>;

export const pages: readonly BuiltPage[] = [
  { folder: "console", kind: "application" },
  { folder: "console/call", kind: "application" },
  { folder: "quick-invitation", kind: "application" },
  { folder: "information", kind: "for-old-browsers" },
  { folder: "entry-point", kind: "for-old-browsers" },
  { folder: "meeting", kind: "call" },
  { folder: "visit", kind: "call" },
  { folder: "home" },
  { folder: "inbox" },
  { folder: "inbox/unknown" },
  { folder: "mailbox" },
  { folder: "loader-demo" },
  { folder: "api-docs" },
];

/** A possible first view, with the budget of its initial script. */
export type View = Readonly<{
  name: string;
  /** The URL; a part with `$` is a parameter. */
  address: string;
  /** The page's folder, below `web/`. */
  folder: string;
  /** Modules below `web/` that the page always imports at runtime. */
  comesToo?: readonly string[];
  /** Maximum script size, gzipped. */
  maxKilobytes: number;
}>;

/** Layout of the settings pages, with the modules that lead to it. */
const settings = "console/settings/layout.tsx";

const deliveries = "console/deliveries/page.tsx";

const platform = "console/platform/page.tsx";

/** Areas whose pages use the texts of event types. */
const namesEventTypes = ["console/deliveries", "console/webhooks"];

/** One per page of `web/console/<area>/routes.ts`, because a link may open any of them. */
const consoleViews: readonly View[] = [
  consoleView("signing in", "/login", "console/sign-in/login.tsx"),
  consoleView("a new password", "/password", "console/sign-in/password.tsx"),
  consoleView("the link of an alert", "/alerts", "console/sign-in/alerts.tsx"),
  consoleView("tickets", "/tickets", "console/tickets/list/page.tsx"),
  consoleView("a ticket", "/tickets/$ticketId", "console/tickets/detail/page.tsx"),
  consoleView(
    "the report of a ticket",
    "/tickets/$ticketId/report",
    "console/tickets/report/report-page.tsx",
  ),
  consoleView("a new ticket", "/tickets/new", "console/tickets/create/page.tsx"),
  consoleView("meetings", "/meetings", "console/meetings/list-page.tsx"),
  consoleView("a meeting", "/meetings/$meetingId", "console/meetings/meeting-page.tsx"),
  consoleView("a new meeting", "/meetings/new", "console/meetings/create-page.tsx"),
  consoleView("live rooms", "/rooms", "console/rooms/list-page.tsx"),
  consoleView("a watched room", "/rooms/$sessionId", "console/rooms/list-page.tsx"),
  consoleView(
    "live deliveries",
    "/dashboard/deliveries",
    "console/deliveries/live/live-page.tsx",
    deliveries,
  ),
  consoleView(
    "log of deliveries",
    "/dashboard/deliveries/log",
    "console/deliveries/log/log-page.tsx",
    deliveries,
  ),
  consoleView(
    "replays",
    "/dashboard/deliveries/replays",
    "console/deliveries/replays/replays-page.tsx",
    deliveries,
  ),
  consoleView(
    "a delivery",
    "/dashboard/deliveries/$deliveryId",
    "console/deliveries/detail/delivery-page.tsx",
  ),
  consoleView(
    "what happened to an event",
    "/dashboard/explain",
    "console/deliveries/explain/explain-page.tsx",
  ),
  consoleView("webhooks", "/settings/webhooks", "console/webhooks/list/list-page.tsx"),
  consoleView(
    "a webhook",
    "/settings/webhooks/$webhookId",
    "console/webhooks/page/webhook-page.tsx",
  ),
  consoleView("a new webhook", "/settings/webhooks/new", "console/webhooks/form/new-page.tsx"),
  consoleView(
    "changing a webhook",
    "/settings/webhooks/$webhookId/edit",
    "console/webhooks/form/edit-page.tsx",
  ),
  consoleView("messages", "/messages", "console/messages/list-page.tsx"),
  consoleView("statistics", "/statistics", "console/statistics/page.tsx"),
  consoleView("search", "/search", "console/search/page.tsx"),
  consoleView("health", "/platform", "console/platform/health/health-page.tsx", platform),
  consoleView(
    "enterprises",
    "/platform/enterprises",
    "console/platform/enterprises/enterprises-page.tsx",
    platform,
  ),
  consoleView("profile", "/settings/profile", "console/settings/profile/page.tsx", settings),
  consoleView("company", "/settings/company", "console/settings/company/page.tsx", settings),
  consoleView("domains", "/settings/domains", "console/settings/domains/page.tsx", settings),
  consoleView("tokens", "/settings/tokens", "console/settings/tokens/page.tsx", settings),
  consoleView("alerts", "/settings/alerts", "console/settings/alerts/page.tsx", settings),
  consoleView("audit", "/settings/audit", "console/settings/audit/page.tsx", settings),
  consoleView("users", "/settings/users", "console/users/page.tsx", settings),
  consoleView("groups", "/settings/groups", "console/users/groups/page.tsx", settings),
  consoleView("services", "/settings/services", "console/services/page.tsx", settings),
  consoleView("a new service", "/settings/services/new", "console/services/new-page.tsx", settings),
  consoleView(
    "a service",
    "/settings/services/$serviceId",
    "console/services/detail/page.tsx",
    settings,
  ),
  consoleView("templates", "/settings/templates", "console/templates/page.tsx", settings),
];

/** Other URLs of the views above. */
const aliases: readonly View[] = [
  consoleView("tickets, for agents", "/agent", "console/tickets/list/page.tsx"),
  consoleView("settings", "/settings", "console/settings/profile/page.tsx", settings),
];

export const views: readonly View[] = [
  ...aliases,
  ...consoleViews,
  {
    name: "call",
    address: "/agent/entrypoint/$buttonId/tickets/$ticketId",
    folder: "console/call",
    comesToo: [textsOf("base"), textsOf("console/tickets"), textsOf("console/call")],
    maxKilobytes: 250,
  },
  {
    name: "quick-invitation",
    address: "/quick-invitation",
    folder: "quick-invitation",
    comesToo: [textsOf("base"), textsOf("quick-invitation")],
    maxKilobytes: 180,
  },
  { name: "information", address: "/i/$code", folder: "information", maxKilobytes: 30 },
  { name: "entry point", address: "/e/$buttonId", folder: "entry-point", maxKilobytes: 30 },
  {
    name: "meeting room",
    address: "/m/$serviceKey/$roomName",
    folder: "meeting",
    maxKilobytes: 120,
  },
  { name: "visit", address: "/v/$secret", folder: "visit", maxKilobytes: 110 },
  { name: "home", address: "/", folder: "home", maxKilobytes: 10 },
  { name: "inbox", address: "/inbox/$key", folder: "inbox", maxKilobytes: 15 },
  { name: "inbox, unknown", address: "/inbox/unknown", folder: "inbox/unknown", maxKilobytes: 5 },
  { name: "mailbox", address: "/mailbox", folder: "mailbox", maxKilobytes: 15 },
  { name: "loader-demo", address: "/loader-demo", folder: "loader-demo", maxKilobytes: 25 },
  { name: "api-docs", address: "/api/docs", folder: "api-docs", maxKilobytes: 15 },
];

/** Scripts for third-party pages, with their size limit. */
export const scripts: readonly Readonly<{ file: string; maxKilobytes: number }>[] = [
  // The chat, its connection (socket.io), and a jQuery for the callbacks.
  { file: "loaderAgent.js", maxKilobytes: 66 },
];

/** The initial modules of a view, without their imports. */
export function modulesOf({ folder, comesToo = [] }: View): string[] {
  return [`${folder}/index.html`, ...comesToo];
}

/** A view of the console: the modules of the frame, then its page and its texts. */
function consoleView(
  ...[name, address, module, frame]: [name: string, address: string, module: string, frame?: string]
): View {
  return {
    name: `console, ${name}`,
    address,
    folder: "console",
    comesToo: [
      textsOf("base"),
      ...(frame === undefined ? [] : withTexts(frame)),
      ...withTexts(module),
    ],
    maxKilobytes: 250,
  };
}

/** Adds the texts of its area, and of areas that it depends on. */
function withTexts(module: string): readonly string[] {
  const area = module.split("/").slice(0, 2).join("/");
  const areas = namesEventTypes.includes(area) ? [area, "console/event-types"] : [area];
  return [...areas.map(textsOf), module];
}

/** The larger of the two languages. */
function textsOf(folder: string): string {
  return `${folder}/texts/fr.json`;
}
