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

/** A view of the console: its page and its texts come after the frame of all. */
const consoleView = (name: string, module: string): View => ({
  name: `console, ${name}`,
  folder: "console",
  comesToo: [textsOf("base"), textsOf(module.split("/").slice(0, 2).join("/")), module],
  maxKilobytes: 250,
});

export const views: readonly View[] = [
  consoleView("signing in", "console/sign-in/login.tsx"),
  consoleView("tickets", "console/tickets/list/page.tsx"),
  consoleView("live deliveries", "console/deliveries/live/live-page.tsx"),
  consoleView("webhooks", "console/webhooks/list/list-page.tsx"),
  consoleView("a ticket", "console/tickets/detail/page.tsx"),
  consoleView("log of deliveries", "console/deliveries/log/log-page.tsx"),
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
