/**
 * `npm start`: every role in one process, with the embedded Postgres if DATABASE_URL is not set.
 */
import { findFirstEnterprise } from "./accounts/bootstrap.ts";
import { composePasses, composeTaskHandlers } from "./compose/tasks.ts";
import { startWeb } from "./compose/web.ts";
import { openPlatform, type Platform } from "./compose/platform.ts";
import { startDelivery, startRelay, startSchedule, startTasks } from "./compose/roles.ts";
import { loadConfig, type Config } from "./config/config.ts";
import { readEnvironment } from "./config/environment.ts";
import { taskQueueNames } from "./contracts/jobs.ts";
import { openDatabase, openSecretKey } from "./embedded/postgres/embedded-postgres.ts";
import { runUntilSignal } from "./platform/lifecycle.ts";
import { createLogger } from "./platform/logger.ts";
import { findFreePort } from "./embedded/supervisor/formation.ts";
import { buildPages } from "./pages/built-pages.ts";
import { openReleasePool, print, release, type Released } from "./release.ts";
import { ensureDemoSubscription } from "./subscriptions/inbox.ts";

/** Chooses a port before URLs are built from it. */
async function withPort(config: Config): Promise<Config> {
  return config.port === 0 ? { ...config, port: await findFreePort(config.host) } : config;
}

/** Other statements of this process have a time limit, and those of a release have none. */
async function releaseAlone(platform: Platform): Promise<Released> {
  const db = openReleasePool(platform);
  try {
    // Nobody else uses the embedded Postgres.
    const holdBack = platform.config.databaseUrl === undefined ? "unless needed" : "always";
    return await release({ ...platform, db, signal: platform.lifecycle.signal, holdBack });
  } finally {
    await db.destroy();
  }
}

/** The URL of the demo inbox as a browser reaches it. */
async function openInbox(platform: Platform): Promise<string | undefined> {
  const { config, db, box, ids, inboxBase, baseUrl } = platform;
  if (!config.isInboxOn) {
    return undefined;
  }
  const enterpriseId = await findFirstEnterprise(db);
  if (enterpriseId === undefined) {
    return undefined;
  }
  const target = { enterpriseId, baseUrl: inboxBase };
  const url = await ensureDemoSubscription({ db, secretBox: box, ids }, target);
  return url?.replace(inboxBase, baseUrl);
}

type ReadyPlatform = {
  baseUrl: string;
  dataDir: string | undefined;
  queue: "Redis" | "Postgres";
  isFirstStart: boolean;
  inboxUrl: string | undefined;
  areLocalReceiversAllowed: boolean;
};

function describeReady(ready: ReadyPlatform): string[] {
  return [
    "",
    `Sightline is ready: ${ready.baseUrl}`,
    "",
    `Logins   ${ready.isFirstStart ? "printed above" : "as on the first start"}`,
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

void runUntilSignal("start", async (lifecycle) => {
  const config = await withPort(loadConfig(readEnvironment()));
  const log = createLogger(config.logLevel, "start");
  lifecycle.configure({ log, graceMs: config.shutdownGraceMs });
  const building = buildPages();
  building.catch(() => undefined); // thrown below, once the database can be stopped
  const databaseUrl = await openDatabase(config, log, lifecycle);
  await building;
  const secretKey = await openSecretKey(config);
  const platform = await openPlatform({ config, log, lifecycle, databaseUrl, secretKey });
  const { isFirstStart } = await releaseAlone(platform);
  const inboxUrl = await openInbox(platform);
  const worker = startDelivery(platform);
  startRelay(platform, worker);
  startSchedule(platform, composePasses(platform));
  const handlers = composeTaskHandlers(platform);
  taskQueueNames.forEach((queue) => startTasks(platform, queue, handlers));
  await startWeb(platform, inboxUrl);
  print(
    describeReady({
      baseUrl: platform.baseUrl,
      dataDir: config.databaseUrl === undefined ? config.dataDir : undefined,
      queue: platform.backend.kind === "postgres" ? "Postgres" : "Redis",
      isFirstStart,
      inboxUrl,
      areLocalReceiversAllowed: config.areLocalReceiversAllowed,
    }),
  );
});
