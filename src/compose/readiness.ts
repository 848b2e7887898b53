/**
 * Whether a process can work: the checks of `/readyz`, and the same for operators who only read
 * `/metrics`, as the gauge `process_ready`. The statement that follows the database's clock is the
 * check of the connection, so that an idle process sends no other.
 */
import { objectKinds } from "../contracts/events.ts";
import { NotReadyError, runCheck, type HealthCheck } from "../http/health.ts";
import { createFollowingClock, type FollowingClock } from "../platform/clock.ts";
import { createWakeup } from "../platform/concurrency/async.ts";
import { createWriteProbe, NoWritesError } from "../platform/db/availability.ts";
import { isSchemaCurrent } from "../platform/db/migrate.ts";
import { readClockMs, type Db } from "../platform/db/pool.ts";
import type { Lifecycle } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { JobQueue } from "../platform/queue/job-queue.ts";

export type ReadinessDeps = {
  db: Db;
  log: Pick<Logger, "warn">;
  metrics: Pick<Metrics, "processReady" | "databaseClockOffset">;
};

/** Fails while the database accepts no writes. */
export function writesCheck(db: Db): HealthCheck {
  const probeWrites = createWriteProbe(db);
  return { name: "writes", check: () => probeWrites().catch(explainNoWrites) };
}

function explainNoWrites(thrown: unknown): never {
  throw thrown instanceof NoWritesError ? new NotReadyError(thrown.message, thrown) : thrown;
}

/** Fails while the store of the queues does not answer. No part of `/readyz`: the API works without it. */
export function queueCheck(queue: Pick<JobQueue, "probe">): HealthCheck {
  return {
    name: "queue",
    check: async () => void (await Promise.all(objectKinds.map((object) => queue.probe(object)))),
  };
}

/** Fails while the release process of this version has not run. */
export function schemaCheck(db: Db): HealthCheck {
  return {
    name: "schema",
    check: async () => {
      if (!(await isSchemaCurrent(db))) {
        throw new NotReadyError(
          "the database schema is older than this version: run the release process",
        );
      }
    },
  };
}

/** Runs a check and sets its gauge. A failure is logged, never thrown. */
export async function observeCheck(
  check: HealthCheck,
  { log, metrics }: Pick<ReadinessDeps, "log" | "metrics">,
): Promise<boolean> {
  const { status } = await runCheck(check, { log });
  metrics.processReady.set({ check: check.name }, status === "ok" ? 1 : 0);
  return status === "ok";
}

const resyncEveryMs = 30_000;

/**
 * A clock that follows the database's clock until the stop: it is measured every 30 seconds, and when
 * a clock of the host jumped. Also sets the gauges `process_ready` of the database and of the schema,
 * which is not read again once it is current: it gets no older.
 */
export async function followDatabaseClock(
  deps: ReadinessDeps,
  lifecycle: Pick<Lifecycle, "onStop">,
  everyMs = resyncEveryMs,
): Promise<FollowingClock> {
  const { db, metrics } = deps;
  const due = createWakeup();
  const clock = createFollowingClock({
    readReferenceMs: () => readClockMs(db),
    reportOffset: createOffsetReport(deps),
    onJump: due.wake,
  });
  await clock.resync();
  metrics.processReady.set({ check: "database" }, 1);
  const database = { name: "database", check: () => clock.resync() };
  const schema = schemaCheck(db);
  let isCurrent = false;
  const stop = new AbortController();
  const running = (async () => {
    await due.wait(everyMs, stop.signal);
    while (!stop.signal.aborted) {
      if ((await observeCheck(database, deps)) && !isCurrent) {
        isCurrent = await observeCheck(schema, deps);
      }
      await due.wait(everyMs, stop.signal);
    }
  })();
  lifecycle.onStop("clock", async () => {
    stop.abort();
    await running;
  });
  return clock;
}

/** Hosts with NTP differ by milliseconds. A reading is off by half its round trip. */
const largeOffsetMs = 5_000;

/** Sets the gauge of the offset, and logs once when the offset becomes large. */
function createOffsetReport({ log, metrics }: ReadinessDeps): (offsetMs: number) => void {
  let wasLarge = false;
  return (offsetMs) => {
    metrics.databaseClockOffset.set(offsetMs / 1_000);
    const isLarge = Math.abs(offsetMs) > largeOffsetMs;
    if (isLarge && !wasLarge) {
      log.warn({ offsetSeconds: Math.round(offsetMs / 1_000) }, "clock.differs");
    }
    wasLarge = isLarge;
  };
}
