import { insertDemoEnterprise } from "../../src/accounts/bootstrap.ts";
import { createPasswords } from "../../src/accounts/credentials.ts";
import { openPool, rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { freePort } from "./free-port.ts";
import { ensureDemoSubscription } from "../../src/subscriptions/inbox.ts";
import { queueSchema } from "./backends.ts";
import { cloneTemplate, dropDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { keepOpen } from "./leaks.ts";
import { startProcess, type Process } from "./processes.ts";
import { testBox } from "./secret-box.ts";
import { fastEnvironment } from "./stack.ts";

type Environment = Readonly<Record<string, string>>;

/** A running platform, whose mutable fields change with a restart or with the next file. */
export type Platform = {
  readonly url: string;
  readonly databaseName: string;
  readonly databaseUrl: string;
  readonly startProcess: () => Promise<Process>;
  /** A connection of the file that uses the platform. */
  db: Db;
  process: Process;
  enterpriseId: number;
  inboxUrl: string;
};

const demoLogins = { admin: "admin@demo.example", agent: "agent@demo.example" };

async function startReady(databaseUrl: string, port: number, env: Environment): Promise<Process> {
  const one = startProcess({
    name: "platform",
    file: "src/start.ts",
    env: {
      ...fastEnvironment,
      DATABASE_URL: databaseUrl,
      QUEUE_PREFIX: queueSchema,
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      INBOX: "1",
      RATE_LIMIT_TOKEN_IP: "1000000",
      RATE_LIMIT_TOKEN_LOGIN: "1000000",
      // The guests of all files have the same IP address.
      RATE_LIMIT_GUEST: "1000000",
      RATE_LIMIT_SMS: "1000000",
      // The receivers run in the processes of the tests, which are busy with browsers.
      ...{ DELIVERY_TIMEOUT_MS: "10000", DELIVERY_LEASE_SECONDS: "30" },
      SHUTDOWN_GRACE_SECONDS: "15",
      ...env,
    },
  });
  await eventually(() => !one.isRunning() || one.output().includes("Sightline is ready"), {
    timeoutMs: 60_000,
  });
  if (!one.isRunning()) {
    throw new Error(`The platform is not ready:\n${one.output()}`);
  }
  return one;
}

function openDb(url: string): Db {
  return openPool({ url, maxConnections: 2, name: "test" });
}

/** A platform on a separate database. */
export async function startPlatform(env: Environment = {}): Promise<Platform> {
  const { name, url: databaseUrl } = await cloneTemplate();
  const port = await freePort();
  const start = (): Promise<Process> => startReady(databaseUrl, port, env);
  const one = await start();
  const db = openDb(databaseUrl);
  const [first] = await rowsOf<{ id: number }>(
    db,
    "SELECT id FROM enterprises ORDER BY id LIMIT 1",
  );
  return {
    db,
    url: `http://localhost:${port}`,
    databaseName: name,
    databaseUrl,
    startProcess: start,
    process: one,
    enterpriseId: first?.id ?? 0,
    inboxUrl: /Inbox\s+(http\S+)/u.exec(one.output())?.[1] ?? "",
  };
}

export async function removePlatform({ process: one, db, databaseName }: Platform): Promise<void> {
  await one.stop();
  await db.destroy();
  await dropDatabase(databaseName);
}

export async function restartPlatform(
  platform: Platform,
  whileAway?: () => Promise<unknown>,
): Promise<void> {
  await platform.process.kill();
  try {
    await whileAway?.();
  } finally {
    platform.process = await platform.startProcess();
  }
}

let shared: Platform | undefined;

/**
 * Returns the platform of this worker, which is kept across files, because a start costs seconds of
 * CPU time. It has an unused demo enterprise; return it with `returnPlatform`.
 */
export async function takeSharedPlatform(): Promise<Platform> {
  if (shared?.process.isRunning() !== true) {
    shared = await keepOpen(async () => {
      const started = await startPlatform();
      await returnPlatform(started);
      return started;
    }, removePlatform);
  }
  shared.db = openDb(shared.databaseUrl);
  await addDemoEnterprise(shared);
  return shared;
}

export async function returnPlatform(platform: Platform): Promise<void> {
  await retireDemoEnterprise(platform);
  await platform.db.destroy();
}

/**
 * Renames all logins, because every file uses the same ones, and stops the deliveries of the
 * enterprise.
 */
async function retireDemoEnterprise({ db }: Platform): Promise<void> {
  await rowsOf(
    db,
    `UPDATE users SET login = 'retired-' || id || '@demo.example',
       email = 'retired-' || id || '@demo.example'
     WHERE login NOT LIKE 'retired-%'`,
  );
  await rowsOf(
    db,
    "UPDATE subscriptions SET is_active = false, deleted_at = now() WHERE deleted_at IS NULL",
  );
}

/** A demo enterprise like the one that the first start of a platform creates. */
async function addDemoEnterprise(platform: Platform): Promise<void> {
  const { db, url } = platform;
  const made = await inTransaction(db, (trx) =>
    insertDemoEnterprise(trx, {
      admin: { login: demoLogins.admin, password: fastEnvironment.ADMIN_PASSWORD },
      agent: { login: demoLogins.agent, password: fastEnvironment.AGENT_PASSWORD },
      ids: randomIds,
      passwords: createPasswords(),
    }),
  );
  const inboxBase = url.replace("localhost", fastEnvironment.HOST);
  const inboxUrl = await ensureDemoSubscription(
    { db, secretBox: testBox, ids: randomIds },
    { enterpriseId: made.enterpriseId, baseUrl: inboxBase },
  );
  platform.enterpriseId = made.enterpriseId;
  platform.inboxUrl = inboxUrl?.replace(inboxBase, url) ?? "";
}
