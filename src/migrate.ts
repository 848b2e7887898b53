/** `npm run migrate -- up [--stopped] | down | status`; `up` is the `release` process of the Procfile. */
import { ConfigError, loadProcessConfig, type Config } from "./config/config.ts";
import { readArguments, readEnvironment } from "./config/environment.ts";
import { systemClock } from "./platform/clock.ts";
import { requireStopped } from "./platform/db/held-back.ts";
import { migrateDown, migrationStatus } from "./platform/db/migrate.ts";
import type { Db } from "./platform/db/pool.ts";
import { waitForDatabase } from "./platform/db/availability.ts";
import { runToEnd } from "./platform/lifecycle.ts";
import { createLogger } from "./platform/logger.ts";
import { openReleasePool, print, release } from "./release.ts";

type CommandDeps = {
  db: Db;
  databaseUrl: string;
  config: Config;
  signal: AbortSignal;
  /** All processes are stopped, so nothing is held back. */
  isStopped: boolean;
};

type Command = (deps: CommandDeps) => Promise<string[]>;

function list(title: string, names: readonly string[]): string[] {
  return names.length === 0
    ? [`${title}: none`]
    : [`${title}:`, ...names.map((name) => `  ${name}`)];
}

const commands: Record<string, Command> = {
  up: async ({ db, config, isStopped, ...rest }) => {
    const log = createLogger(config.logLevel, "release");
    if (isStopped) {
      await requireStopped(db);
    }
    const holdBack = isStopped ? "never" : "always";
    const deps = { db, config, clock: systemClock, log, holdBack, ...rest } as const;
    const { applied } = await release(deps);
    const { pending } = await migrationStatus(db);
    return [
      ...list("Applied", applied),
      ...(pending.length === 0 ? [] : list("Held back for a later run", pending)),
    ];
  },
  down: async ({ db }) => list("Reverted", await migrateDown(db)),
  status: async ({ db }) => {
    const { applied, pending } = await migrationStatus(db);
    return [...list("Applied", applied), ...list("Pending", pending)];
  },
};

void runToEnd("release", async (lifecycle) => {
  const [name = "up", ...options] = readArguments();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw new ConfigError([`Unknown command "${name}": use up, up --stopped, down or status`]);
  }
  const isStopped = name === "up" && options[0] === "--stopped";
  const unknown = options.slice(isStopped ? 1 : 0);
  if (unknown.length > 0) {
    throw new ConfigError([`Unknown option "${unknown[0]}": the only one is --stopped, for up`]);
  }
  const config = loadProcessConfig(readEnvironment());
  const log = createLogger(config.logLevel, "release");
  lifecycle.configure({ log, graceMs: config.shutdownGraceMs });
  const db = openReleasePool({ databaseUrl: config.databaseUrl, log });
  lifecycle.onStop("database pool", () => db.destroy());
  await waitForDatabase(db, log, {
    timeoutMs: config.databaseWaitMs,
    signal: lifecycle.signal,
  });
  const { databaseUrl } = config;
  print(await command({ db, databaseUrl, config, isStopped, signal: lifecycle.signal }));
});
