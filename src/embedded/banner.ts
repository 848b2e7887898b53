import type { FirstLogin, Bootstrapped } from "../accounts/bootstrap.ts";

export type ReadyPlatform = {
  baseUrl: string;
  dataDir: string | undefined;
  queue: "Redis" | "Postgres";
  firstStart: Bootstrapped | undefined;
  inboxUrl: string | undefined;
  areLocalReceiversAllowed: boolean;
};

/** Lines for the person at the terminal; everything else goes to the log. */
export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** What a person needs to know once everything runs. */
export function describeReady(ready: ReadyPlatform): string[] {
  return [
    "",
    `Sightline is ready: ${ready.baseUrl}`,
    "",
    ...(ready.firstStart === undefined
      ? ["Logins: as on the first start"]
      : describeFirstStart(ready.firstStart)),
    "",
    `Console  ${ready.baseUrl}/tickets`,
    ...(ready.inboxUrl === undefined ? [] : [`Inbox    ${ready.inboxUrl}`]),
    ...(ready.dataDir === undefined
      ? []
      : [`Data     ${ready.dataDir}  (delete it to start over)`]),
    `Queue    BullMQ on ${ready.queue}`,
    "Stop     Ctrl-C",
    ...warnings(ready),
    "",
  ];
}

/** The first logins. Passwords are stored as hashes: this is the only time they can be shown. */
export function describeFirstStart({ admin, agent }: Bootstrapped): string[] {
  return [
    "First logins (shown only now, so keep them):",
    describeLogin("Administrator", admin),
    describeLogin("Agent", agent),
  ];
}

function describeLogin(title: string, { login, password, isGenerated }: FirstLogin): string {
  return `  ${title.padEnd(15)}${login.padEnd(24)}${isGenerated ? password : "the password you gave"}`;
}

function warnings({ areLocalReceiversAllowed }: ReadyPlatform): string[] {
  return areLocalReceiversAllowed
    ? [
        "",
        "Warning: ALLOW_LOCAL_RECEIVERS is on. Webhooks may reach this machine and its private",
        "network. Never run it like this where strangers have accounts.",
      ]
    : [];
}
