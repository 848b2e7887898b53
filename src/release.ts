import {
  ensureFirstEnterprise,
  ensureSuperadmin,
  type Bootstrapped,
  type FirstLogin,
} from "./accounts/bootstrap.ts";
import { createPasswords } from "./accounts/credentials.ts";
import { createAudit } from "./audit/audit-log.ts";
import type { Config } from "./config/config.ts";
import { makePartitions } from "./pipeline/schedule/retention.ts";
import type { Clock } from "./platform/clock.ts";
import type { HoldBack } from "./platform/db/held-back.ts";
import { migrateUp } from "./platform/db/migrate.ts";
import { openPool, type Db } from "./platform/db/pool.ts";
import { notifyOn } from "./platform/db/notify.ts";
import { randomIds } from "./platform/ids.ts";
import { printTo } from "./platform/log-output.ts";
import type { Logger } from "./platform/logger.ts";
import { migrateQueue } from "./platform/queue/postgres.ts";

export type ReleaseDeps = {
  db: Db;
  databaseUrl: string;
  config: Config;
  clock: Clock;
  log: Logger;
  /** Ends the wait for tables that others use. */
  signal?: AbortSignal;
  holdBack?: HoldBack;
};

export type Released = {
  /** Migrations applied by this call. */
  applied: string[];
  /** Whether this call created the first logins, and printed them. */
  isFirstStart: boolean;
};

/** Without a time limit: an index of a large table takes minutes. */
export function openReleasePool({
  databaseUrl,
  log,
}: Pick<ReleaseDeps, "databaseUrl" | "log">): Db {
  return openPool({
    url: databaseUrl,
    maxConnections: 2,
    name: "release",
    log,
    statementTimeoutMs: 0,
  });
}

/**
 * Prepares the database for this version: schema, queue schema, partitions, first enterprise,
 * configured superadmin. Idempotent; concurrent runs are safe.
 */
export async function release(deps: ReleaseDeps): Promise<Released> {
  const { db, databaseUrl, config } = deps;
  const { replacementBeganAt } = config;
  const applied = await migrateUp(db, { ...deps, replacementBeganAt });
  if (config.redis === undefined) {
    await migrateQueue(databaseUrl, config.queuePrefix);
  }
  await makePartitions({ ...deps, retentionDays: config.delivery.retentionDays });
  const firstStart = await ensureFirstEnterprise(db, {
    admin: config.firstAdmin,
    agent: config.firstAgent,
    ids: randomIds,
    passwords: createPasswords(),
  });
  if (firstStart !== undefined) {
    print(describeFirstLogins(firstStart)); // at once: a later step may fail
  }
  await applySuperadmin(deps);
  return { applied, isFirstStart: firstStart !== undefined };
}

/** Passwords are stored as hashes: this is the only time they can be shown. */
function describeFirstLogins({ admin, agent }: Bootstrapped): string[] {
  return [
    "",
    "First logins (shown only once, so save them):",
    describeLogin("Administrator", admin),
    describeLogin("Agent", agent),
  ];
}

function describeLogin(title: string, { login, password, isGenerated }: FirstLogin): string {
  const shown = isGenerated ? password : "the password you gave";
  return `  ${title.padEnd(15)}${login.padEnd(24)}${shown}`;
}

/** Prints lines for the person at the terminal; everything else goes to the log. */
export function print(lines: readonly string[]): void {
  printTo(1, `${lines.join("\n")}\n`);
}

async function applySuperadmin({ db, config, log }: ReleaseDeps): Promise<void> {
  const { superadminLogin } = config;
  if (superadminLogin === undefined) {
    return;
  }
  const outcome = await ensureSuperadmin({ db, audit: createAudit() }, superadminLogin);
  if (outcome === "unknown") {
    log.warn("SUPERADMIN_LOGIN is the login of no active user: no user became superadmin");
  } else if (outcome === "granted") {
    await notifyOn(db)("identity", [""]); // running web processes may have cached the old role
    log.info("the user of SUPERADMIN_LOGIN is a superadmin now");
  }
}
