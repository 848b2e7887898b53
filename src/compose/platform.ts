/**
 * Composition root, lower part: configuration → pools, queue, clock, address guard. Only this
 * folder knows every module. Everything that must be closed registers with the lifecycle when it is
 * opened, so that a stop closes in reverse order.
 */
import { setMaxListeners } from "node:events";
import { loadProcessConfig, type Config } from "../config/config.ts";
import { readEnvironment } from "../config/environment.ts";
import { createHealthServer, type HealthServerDeps } from "../http/health.ts";
import { createLogger, type Logger } from "../platform/logger.ts";
import { createDispatcher, type Dispatcher } from "../pipeline/ledger/dispatcher.ts";
import type { FollowingClock } from "../platform/clock.ts";
import {
  startListener,
  createNotifier,
  notifyOn,
  type Listener,
  type Notifier,
} from "../platform/db/notify.ts";
import { openPool, rowsOf, type Db } from "../platform/db/pool.ts";
import { connectionOptions } from "../platform/db/connection.ts";
import { waitForDatabase } from "../platform/db/availability.ts";
import { toError } from "../platform/errors.ts";
import type { FaultPoint } from "../contracts/fault-points.ts";
import { toWakeWord } from "../contracts/events.ts";
import { createFaultPoint } from "../platform/process-control.ts";
import { randomIds, type Ids } from "../platform/ids.ts";
import type { Lifecycle as FullLifecycle } from "../platform/lifecycle.ts";
import { createMetrics, type Metrics } from "../platform/metrics.ts";
import { createAddressGuard, type AddressGuard } from "../platform/net/address-guard.ts";
import { localOrigin } from "../platform/net/local-origin.ts";
import { openJobQueue, type JobQueue, type QueueBackend } from "../platform/queue/job-queue.ts";
import { openNotify } from "../platform/queue/redis-wake.ts";
import { createSecretBox, parseSecretKey, type SecretBox } from "../platform/secret-box.ts";
import { createOutbox, type Outbox } from "../pipeline/outbox/append.ts";
import { createTasks, type Tasks } from "../platform/tasks/task.ts";
import { followDatabaseClock, schemaCheck, writesCheck } from "./readiness.ts";

/**
 * The part of the lifecycle that is needed here. Processes that signals do not stop need no drain.
 */
type PlatformLifecycle = Pick<FullLifecycle, "onStop" | "signal"> &
  Partial<Pick<FullLifecycle, "onDrain" | "stopRequested">>;

/** What every role needs, opened once per process. */
export type Platform = {
  config: Config;
  log: Logger;
  lifecycle: PlatformLifecycle;
  db: Db;
  /** For the few prepared statements that each event and delivery goes through. */
  ledgerDb: Db;
  databaseUrl: string;
  clock: FollowingClock;
  ids: Ids;
  metrics: Metrics;
  notifier: Notifier;
  listener: Listener;
  box: SecretBox;
  /** Links and room tokens are signed with keys derived from it. */
  secretKey: Buffer;
  guard: AddressGuard;
  baseUrl: string;
  /** The local address of the built-in inbox, whatever the public address is. */
  inboxBase: string;
  backend: QueueBackend;
  faultPoint: FaultPoint;
  /** The producer of the queue, shared by all roles of one process. */
  openQueue: () => { queue: JobQueue; dispatcher: Dispatcher };
};

/** Values that the embedded mode determines at runtime; otherwise from the configuration. */
export type PlatformInputs = {
  config: Config;
  log: Logger;
  lifecycle: PlatformLifecycle;
  databaseUrl: string;
  secretKey: Buffer;
  /** For tests with a controlled clock. */
  clock?: FollowingClock;
};

/**
 * `/metrics`, `/livez` and `/readyz` of a process without a web server. Created before the work
 * starts, so that it is closed after it: a draining process still reports its state and holds its
 * port. Returns the function that starts listening.
 */
export function openHealth(platform: Platform): () => Promise<void> {
  const { config, lifecycle, log } = platform;
  const server = createHealthServer(healthOf(platform));
  lifecycle.onStop("health server", async (leftMs) => {
    await server.close(Math.min(1_000, leftMs));
  });
  return async () => {
    const port = await server
      .listen(config.metricsPort, config.metricsHost)
      .catch((thrown: unknown) => explainPortInUse(thrown, "METRICS_PORT"));
    log.info({ port, pid: process.pid }, "process.ready");
  };
}

/** The checks of `/readyz`. Redis is not checked, because the API works without it. */
export function healthOf({ config, db, metrics, log, lifecycle }: Platform): HealthServerDeps {
  return {
    log,
    metricsToken: config.metricsToken,
    ...(lifecycle.stopRequested === undefined ? {} : { stopRequested: lifecycle.stopRequested }),
    render: metrics.render,
    checks: [
      { name: "database", check: async () => void (await rowsOf(db, "SELECT 1")) },
      writesCheck(db),
      schemaCheck(db),
    ],
  };
}

export function explainPortInUse(thrown: unknown, setting: string): never {
  const { code, port } = toError(thrown) as NodeJS.ErrnoException & { port?: number };
  throw code === "EADDRINUSE"
    ? new Error(`port ${port} is in use: set ${setting} to another port`, { cause: thrown })
    : thrown;
}

/** Configuration, logger and platform of one process of the Procfile. */
export async function openProcess(role: string, lifecycle: FullLifecycle): Promise<Platform> {
  const config = loadProcessConfig(readEnvironment());
  const log = createLogger(config.logLevel, role);
  lifecycle.configure({ log, graceMs: config.shutdownGraceMs });
  return openPlatform({
    config,
    log,
    lifecycle,
    databaseUrl: config.databaseUrl,
    secretKey: parseSecretKey(config.secretKey),
  });
}

/** Opens what every role needs. Waits for the database, at most the configured time. */
export async function openPlatform(inputs: PlatformInputs): Promise<Platform> {
  const { config, log, lifecycle, databaseUrl } = inputs;
  config.warnings.forEach((warning) => log.warn(warning));
  const pool = { url: databaseUrl, maxConnections: config.databasePoolSize, name: "pool", log };
  const db = openPool(pool);
  const ledgerDb = openPool({ ...pool, name: "ledger", isIndexedOnly: true });
  lifecycle.onStop("database pools", async () => {
    await Promise.all([db.destroy(), ledgerDb.destroy()]);
  });
  await waitForDatabase(db, log, {
    timeoutMs: config.databaseWaitMs,
    signal: lifecycle.signal,
  });
  const metrics = createMetrics();
  const clock = inputs.clock ?? (await followDatabaseClock({ db, log, metrics }, lifecycle));
  const listener = startListener(connectionOptions({ ...pool, name: "listener" }), log);
  lifecycle.onStop("listener", () => listener.close());
  const backend = backendOf(config, databaseUrl);
  const wakeUps = openNotify(backend, notifyOn(db), log);
  lifecycle.onStop("wake-ups", async () => wakeUps.close());
  const inboxBase = localOrigin(config);
  return {
    config,
    log,
    lifecycle,
    db,
    ledgerDb,
    databaseUrl,
    clock,
    listener,
    backend,
    ids: randomIds,
    metrics,
    faultPoint: createFaultPoint(config.faultAt),
    notifier: createNotifier(wakeUps.notify, log),
    box: createSecretBox(inputs.secretKey),
    secretKey: inputs.secretKey,
    baseUrl: config.baseUrl ?? inboxBase,
    inboxBase,
    guard: createAddressGuard({
      areLocalReceiversAllowed: config.areLocalReceiversAllowed,
      allowList: config.receiverAllowList,
      ...(config.isInboxOn ? { inboxPrefix: `${inboxBase}/inbox/` } : {}),
    }),
    openQueue: once(() => openProducer(inputs, { ledgerDb, clock, backend })),
  };
}

function backendOf(config: Config, databaseUrl: string): QueueBackend {
  return config.redis === undefined
    ? { kind: "postgres", url: databaseUrl, namespace: config.queuePrefix }
    : { ...config.redis, namespace: config.queuePrefix };
}

function once<T>(make: () => T): () => T {
  let memo: { value: T } | undefined;
  return () => (memo ??= { value: make() }).value;
}

function openProducer(
  { config, log, lifecycle }: PlatformInputs,
  { ledgerDb, clock, backend }: Pick<Platform, "ledgerDb" | "clock" | "backend">,
) {
  const queue = openJobQueue(backend, log);
  lifecycle.onStop("queue", () => queue.close());
  const dispatcher = createDispatcher({
    db: ledgerDb,
    queue,
    clock,
    log,
    highWater: config.delivery.queueHighWater,
    maxInFlight: config.delivery.maxInFlight,
  });
  runInBackground("queue watch", lifecycle, (signal) => dispatcher.run(signal));
  return { queue, dispatcher };
}

/** Runs until the stop, which waits for the current step. */
export function runInBackground(
  name: string,
  lifecycle: PlatformLifecycle,
  run: (signal: AbortSignal) => Promise<void>,
): void {
  const stop = new AbortController();
  // All tasks of a role share one signal, which is not a leak.
  setMaxListeners(0, stop.signal);
  const running = run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  lifecycle.onStop(name, end, "work");
}

/** The same outbox for every role. */
export function composeOutbox({ ids, clock, faultPoint, notifier, config }: Platform): Outbox {
  return createOutbox({
    ids,
    clock,
    faultPoint,
    maxBytes: config.delivery.eventMaxBytes,
    wake: (kinds) => kinds.forEach((kind) => notifier.wake("outbox", toWakeWord(kind))),
  });
}

export function composeTaskPlanning({ clock, notifier }: Platform): Tasks {
  return createTasks({ clock, wake: () => notifier.wake("tasks") });
}
