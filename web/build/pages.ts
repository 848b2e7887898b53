/** Every page that is built: its folder below `web/`. */
export type BuiltPage = Readonly<{
  folder: string;
  /** For staff, with Mantine; for customers on any phone; with a call, loaded in parts. */
  kind?: "application" | "for-old-browsers" | "call";
}>;

export const pages: readonly BuiltPage[] = [
  { folder: "console", kind: "application" },
  { folder: "console/call", kind: "application" },
  { folder: "quick-invitation", kind: "application" },
  { folder: "information", kind: "for-old-browsers" },
  { folder: "meeting", kind: "call" },
  { folder: "visit", kind: "call" },
  { folder: "home" },
  { folder: "inbox" },
  { folder: "inbox/unknown" },
  { folder: "mailbox" },
  { folder: "loader-demo" },
  { folder: "api-docs" },
];

/** What somebody may see first, and how much script that may load before anybody does anything. */
export type View = Readonly<{
  name: string;
  /** Where it is; `$` begins what stands for any part of the address. */
  address: string;
  /** Of the page, below `web/`. */
  folder: string;
  /** Modules below `web/` that the page asks for by itself once it runs. */
  comesToo?: readonly string[];
  /** Of script, gzipped. */
  maxKilobytes: number;
}>;

/** Pages of the console that others stand in, with what leads from one of those to the next. */
const settings = "console/settings/layout.tsx";

const deliveries = "console/deliveries/page.tsx";

const platform = "console/platform/page.tsx";

/** Areas whose pages name types of timeline entries. */
const namesEventTypes = ["console/deliveries", "console/webhooks"];

/** One for each page of `web/console/<area>/routes.ts`: a link may lead to any of them. */
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

/** Addresses that lead to one of the pages above. */
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

/** Scripts that pages of others load: the file in the build, and how large it may be. */
export const scripts: readonly Readonly<{ file: string; maxKilobytes: number }>[] = [
  // The chat, its connection (socket.io), and a jQuery for the callbacks.
  { file: "loaderAgent.js", maxKilobytes: 66 },
];

/** The modules that a view loads at first, with which come those that they import. */
export function modulesOf({ folder, comesToo = [] }: View): string[] {
  return [`${folder}/index.html`, ...comesToo];
}

/** A view of the console: its page and its texts come after the frame of all, and after its own. */
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

/** With the texts of its area, and of others that its area names. */
function withTexts(module: string): readonly string[] {
  const area = module.split("/").slice(0, 2).join("/");
  const areas = namesEventTypes.includes(area) ? [area, "console/event-types"] : [area];
  return [...areas.map(textsOf), module];
}

/** The larger of the two languages. */
function textsOf(folder: string): string {
  return `${folder}/texts/fr.json`;
}
