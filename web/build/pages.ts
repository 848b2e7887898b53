/** Every page that is built: its folder below `web/`, and how much script it may load at first. */
export type PageBudget = Readonly<{
  folder: string;
  /** Of script, gzipped, that the page loads before anybody does anything. */
  maxKilobytes: number;
  /** Customers open it, on whatever phone they have: written for browsers of 2018. */
  isForOldBrowsers?: boolean;
}>;

export const pages: readonly PageBudget[] = [
  { folder: "console", maxKilobytes: 250 },
  { folder: "quick-invitation", maxKilobytes: 200 },
  { folder: "information", maxKilobytes: 30, isForOldBrowsers: true },
  { folder: "home", maxKilobytes: 10 },
  { folder: "inbox", maxKilobytes: 15 },
  { folder: "inbox/unknown", maxKilobytes: 5 },
  { folder: "outbox", maxKilobytes: 15 },
  { folder: "loader-demo", maxKilobytes: 25 },
];

/** Scripts that pages of others load: the file in the build, and how large it may be. */
export const scripts: readonly Readonly<{ file: string; maxKilobytes: number }>[] = [
  // The chat, its connection (socket.io), and a jQuery for the callbacks.
  { file: "loaderAgent.js", maxKilobytes: 66 },
];
