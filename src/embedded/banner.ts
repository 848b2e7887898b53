export type ReadyPlatform = {
  baseUrl: string;
  dataDir: string | undefined;
  queue: "Redis" | "Postgres";
  /** Lines with the first logins; undefined if they were created by an earlier start. */
  firstLogins: readonly string[] | undefined;
  inboxUrl: string | undefined;
  areLocalReceiversAllowed: boolean;
};

/** Prints lines for the person at the terminal; everything else goes to the log. */
export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

export function describeReady(ready: ReadyPlatform): string[] {
  return [
    "",
    `Sightline is ready: ${ready.baseUrl}`,
    "",
    ...(ready.firstLogins ?? ["Logins: as on the first start"]),
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

function warnings({ areLocalReceiversAllowed }: ReadyPlatform): string[] {
  return areLocalReceiversAllowed
    ? [
        "",
        "Warning: ALLOW_LOCAL_RECEIVERS is on. Webhooks may reach this machine and its private",
        "network. Do not use it if people you do not trust have accounts.",
      ]
    : [];
}
