import type { FirstLogin, FirstStart } from "./accounts/first-start.ts";

/** Lines for the person at the terminal; everything else goes to the log. */
export const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join("\n")}\n`);
};

const describeLogin = (title: string, { login, password, isGenerated }: FirstLogin): string =>
  `  ${title.padEnd(15)}${login.padEnd(24)}${isGenerated ? password : "the password you gave"}`;

/** The first logins. Passwords are stored as hashes: this is the only time they can be shown. */
export const describeFirstStart = ({ admin, agent }: FirstStart): string[] => [
  "First logins (shown only now, so keep them):",
  describeLogin("Administrator", admin),
  describeLogin("Agent", agent),
];

export type ReadyPlatform = {
  baseUrl: string;
  dataDir: string | undefined;
  queue: "Redis" | "Postgres";
  firstStart: FirstStart | undefined;
  inboxUrl: string | undefined;
  areLocalReceiversAllowed: boolean;
};

const warnings = ({ areLocalReceiversAllowed }: ReadyPlatform): string[] =>
  areLocalReceiversAllowed
    ? [
        "",
        "Warning: ALLOW_LOCAL_RECEIVERS is on. Webhooks may reach this machine and its private",
        "network. Never run it like this where strangers have accounts.",
      ]
    : [];

/** What a person needs to know once everything runs. */
export const describeReady = (ready: ReadyPlatform): string[] => [
  "",
  `Sightline is ready: ${ready.baseUrl}`,
  "",
  ...(ready.firstStart === undefined
    ? ["Logins: as on the first start"]
    : describeFirstStart(ready.firstStart)),
  "",
  `Console  ${ready.baseUrl}/tickets`,
  ...(ready.inboxUrl === undefined ? [] : [`Inbox    ${ready.inboxUrl}`]),
  ...(ready.dataDir === undefined ? [] : [`Data     ${ready.dataDir}  (delete it to start over)`]),
  `Queue    BullMQ on ${ready.queue}`,
  "Stop     Ctrl-C",
  ...warnings(ready),
  "",
];
