/**
 * Measures whether stored data slows down the pipeline: the same loads with a long log of attempts,
 * with many waiting deliveries (`--only=history-size`), and, before and after each, on a second
 * installation whose ledger is empty, because the speed of a shared machine changes every minute.
 */
import { busySize, quietPerSecond, type Plan } from "../plan.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { addBacklog, continueAfter, manyDeliveries } from "../support/many-deliveries.ts";
import type { Line, Rig } from "../support/rig.ts";
import type { RoleOptions } from "../support/stack.ts";
import { yardstick, type Yardstick } from "./bare-loop.ts";
import { drain, warmUp, type DrainResult } from "./drain.ts";
import { latency, type LatencyResult } from "./latency.ts";
import { sustain, type SustainResult } from "./sustain.ts";

export type SizePhase = {
  name: string;
  /** Measured in the same minutes, because other programs slow down both. */
  bareLoop: Yardstick;
  drain: DrainResult;
  sustained: SustainResult;
  quiet: LatencyResult;
};

export type HistorySizeResult = {
  /**
   * Deliveries in the log, each with at least one attempt; the last phase adds as many waiting
   * ones, at most a million.
   */
  rows: number;
  fillMinutes: number;
  gigabytes: number;
  /** Before, between and after the two others. */
  empty: readonly [SizePhase, SizePhase, SizePhase];
  behind: SizePhase;
  waiting: SizePhase;
};

/** An installation with one webhook. */
type Installation = { rig: Rig; line: Line; roles: RoleOptions };

export type HistorySizeOptions = {
  filled: Installation;
  /** Stays empty. */
  empty: Installation;
  rows: number;
  plan: Pick<Plan, "warmUpEvents" | "drainEvents" | "sustainSeconds" | "latencySeconds">;
  print: (text: string) => void;
};

/** Stops the roles at the end: the other installation needs the cores. */
async function measure(
  { rig, line, roles }: Installation,
  { plan }: HistorySizeOptions,
  name: string,
): Promise<SizePhase> {
  const { latencySeconds, sustainSeconds, warmUpEvents, drainEvents } = plan;
  const bareLoop = await yardstick(rig);
  await warmUp(rig, { line, roles, events: warmUpEvents });
  const quiet = { line, roles, perSecond: quietPerSecond, seconds: latencySeconds, size: 1 };
  const phase = {
    name,
    bareLoop,
    drain: await drain(rig, { line, roles, events: drainEvents }),
    sustained: await sustain(rig, { line, roles, seconds: sustainSeconds, size: busySize }),
    quiet: await latency(rig, quiet),
  };
  await rig.stopRoles();
  return phase;
}

/** Excludes the deliveries of the filled log from the checks of this measurement. */
async function skipFilled(rig: Rig): Promise<void> {
  const [row] = await rowsOf<{ newest: number }>(
    rig.stack.db,
    "SELECT max(id) AS newest FROM deliveries",
  );
  rig.settledUpTo = row?.newest ?? 0;
}

/** Shorter than any retention period, so that the schedule deletes nothing during the run. */
const days = 3;

/** Of one receiver that is down. */
const maxWaiting = 1_000_000;

/** The number of subscriptions of a busy enterprise. */
const subscriptions = 10;

export async function historySize(options: HistorySizeOptions): Promise<HistorySizeResult> {
  const { filled, empty, rows, print } = options;
  const { rig } = filled;
  const { db } = rig.stack;
  const measureEmpty = (): Promise<SizePhase> => measure(empty, options, "nothing");
  const before = await measureEmpty();
  const startedAt = performance.now();
  const onProgress = (made: number): void => print(`  ${made.toLocaleString("en-US")} in the log`);
  const { enterpriseId } = await manyDeliveries(db, {
    ...{ count: rows, subscriptions, days, live: 0, onProgress },
  });
  await continueAfter(db);
  await skipFilled(rig);
  const fillMinutes = (performance.now() - startedAt) / 60_000;
  const count = rows.toLocaleString("en-US");
  const behind = await measure(filled, options, `${count} attempts in the log`);
  const between = await measureEmpty();
  const waitingRows = Math.min(rows, maxWaiting);
  await addBacklog(db, enterpriseId, waitingRows);
  await continueAfter(db);
  await skipFilled(rig);
  const waitingCount = waitingRows.toLocaleString("en-US");
  const waiting = await measure(filled, options, `the same, and ${waitingCount} that wait`);
  const after = await measureEmpty();
  const [size] = await rowsOf<{ bytes: number }>(
    db,
    "SELECT pg_database_size(current_database()) AS bytes",
  );
  return {
    ...{ rows, fillMinutes, gigabytes: (size?.bytes ?? 0) / 1e9 },
    ...{ empty: [before, between, after], behind, waiting },
  };
}
