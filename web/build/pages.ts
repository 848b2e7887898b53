/** Every page that is built: its folder below `web/`. */
export type BuiltPage = Readonly<{
  folder: string;
  /** Customers open it, on whatever phone they have: written for browsers of 2018. */
  isForOldBrowsers?: boolean;
}>;

export const pages: readonly BuiltPage[] = [
  { folder: "console" },
  { folder: "quick-invitation" },
  { folder: "information", isForOldBrowsers: true },
  { folder: "home" },
  { folder: "inbox" },
  { folder: "inbox/unknown" },
  { folder: "outbox" },
  { folder: "loader-demo" },
];

/** What somebody may see first, and how much script that may load before anybody does anything. */
export type View = Readonly<{
  name: string;
  /** Of the page, below `web/`. */
  folder: string;
  /** Modules below `web/` that the page asks for by itself once it runs. */
  comesToo?: readonly string[];
  /** Of script, gzipped. */
  maxKilobytes: number;
}>;

/** The larger of the two languages. */
const textsOf = (folder: string): string => `${folder}/texts/fr.json`;

/** With the texts of its area. */
const withTexts = (module: string): readonly string[] => [
  textsOf(module.split("/").slice(0, 2).join("/")),
  module,
];

/** Pages of the console that others stand in, with what leads from one of those to the next. */
const settings = "console/settings/layout.tsx";
const deliveries = "console/deliveries/page.tsx";
const platform = "console/platform/page.tsx";

/** A view of the console: its page and its texts come after the frame of all, and after its own. */
const consoleView = (name: string, module: string, frame?: string): View => ({
  name: `console, ${name}`,
  folder: "console",
  comesToo: [
    textsOf("base"),
    ...(frame === undefined ? [] : withTexts(frame)),
    ...withTexts(module),
  ],
  maxKilobytes: 250,
});

/** One that is a form throughout: its fields for numbers, choices and lists are there at first. */
const formView = (maxKilobytes: number, ...view: Parameters<typeof consoleView>): View => ({
  ...consoleView(...view),
  maxKilobytes,
});

/** One for each page of `web/console/<area>/routes.ts`: a link may lead to any of them. */
const consoleViews: readonly View[] = [
  consoleView("signing in", "console/sign-in/login.tsx"),
  consoleView("a new password", "console/sign-in/password.tsx"),
  consoleView("tickets", "console/tickets/list/page.tsx"),
  consoleView("a ticket", "console/tickets/detail/page.tsx"),
  consoleView("a new ticket", "console/tickets/create/page.tsx"),
  consoleView("meetings", "console/meetings/list-page.tsx"),
  consoleView("a meeting", "console/meetings/meeting-page.tsx"),
  consoleView("a new meeting", "console/meetings/create-page.tsx"),
  consoleView("live deliveries", "console/deliveries/live/live-page.tsx", deliveries),
  consoleView("log of deliveries", "console/deliveries/log/log-page.tsx", deliveries),
  consoleView("replays", "console/deliveries/replays/replays-page.tsx", deliveries),
  consoleView("a delivery", "console/deliveries/story/delivery-page.tsx"),
  consoleView("what happened to an event", "console/deliveries/explain/explain-page.tsx"),
  consoleView("webhooks", "console/webhooks/list/list-page.tsx"),
  consoleView("a webhook", "console/webhooks/page/webhook-page.tsx"),
  consoleView("a new webhook", "console/webhooks/form/new-page.tsx"),
  formView(252, "changing a webhook", "console/webhooks/form/edit-page.tsx"),
  consoleView("messages", "console/messages/list-page.tsx"),
  consoleView("statistics", "console/statistics/page.tsx"),
  consoleView("search", "console/search/page.tsx"),
  consoleView("health", "console/platform/health/health-page.tsx", platform),
  consoleView("enterprises", "console/platform/enterprises/enterprises-page.tsx", platform),
  consoleView("profile", "console/settings/profile/page.tsx", settings),
  consoleView("company", "console/settings/company/page.tsx", settings),
  consoleView("domains", "console/settings/domains/page.tsx", settings),
  consoleView("tokens", "console/settings/tokens/page.tsx", settings),
  consoleView("audit", "console/settings/audit/page.tsx", settings),
  consoleView("users", "console/users/page.tsx", settings),
  consoleView("groups", "console/users/groups/page.tsx", settings),
  consoleView("services", "console/services/page.tsx", settings),
  formView(258, "a new service", "console/services/new-page.tsx", settings),
  formView(268, "a service", "console/services/detail/page.tsx", settings),
  consoleView("templates", "console/templates/page.tsx", settings),
];

export const views: readonly View[] = [
  ...consoleViews,
  {
    name: "quick-invitation",
    folder: "quick-invitation",
    comesToo: [textsOf("base"), textsOf("quick-invitation")],
    maxKilobytes: 180,
  },
  { name: "information", folder: "information", maxKilobytes: 30 },
  { name: "home", folder: "home", maxKilobytes: 10 },
  { name: "inbox", folder: "inbox", maxKilobytes: 15 },
  { name: "inbox, unknown", folder: "inbox/unknown", maxKilobytes: 5 },
  { name: "outbox", folder: "outbox", maxKilobytes: 15 },
  { name: "loader-demo", folder: "loader-demo", maxKilobytes: 25 },
];

/** Scripts that pages of others load: the file in the build, and how large it may be. */
export const scripts: readonly Readonly<{ file: string; maxKilobytes: number }>[] = [
  // The chat, its connection (socket.io), and a jQuery for the callbacks.
  { file: "loaderAgent.js", maxKilobytes: 66 },
];
