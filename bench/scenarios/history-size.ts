/**
 * Measures whether stored data slows down the pipeline: the same loads with a long log of attempts, and
 * with many waiting deliveries (`--only=history-size`). Each alternates with a second installation that
 * starts empty, because the speed of a shared machine changes every minute. What the rounds write
 * stays on both.
 */
import { busySize, quietPerSecond, type Plan } from "../plan.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { addBacklog, continueAfter, manyDeliveries } from "../support/many-deliveries.ts";
import type { Line, Rig } from "../support/rig.ts";
import type { RoleOptions } from "../support/stack.ts";
import { medianOfAll } from "../support/statistics.ts";
import { yardstick, type Yardstick } from "./bare-loop.ts";
import { drain, warmUp, type DrainResult } from "./drain.ts";
import { latency, type LatencyResult } from "./latency.ts";
import { sustain, type SustainResult } from "./sustain.ts";

/** The loads on one installation in one round. */
export type SizePhase = {
  name: string;
  /** Measured just before, because other programs slow down both. */
  bareLoop: Yardstick;
  drain: DrainResult;
  sustained: SustainResult;
  quiet: Pick<LatencyResult, "fromCommitMs">;
};

export type SizeRound = { empty: SizePhase; filled: SizePhase };

export type HistorySizeResult = {
  /**
   * Deliveries in the log, each with at least one attempt; the second comparison adds as many
   * waiting ones, at most a million.
   */
  rows: number;
  fillMinutes: number;
  /** With the log only. */
  gigabytes: number;
  behind: readonly SizeRound[];
  waiting: readonly SizeRound[];
};

/** An installation with one webhook. */
type Installation = { rig: Rig; line: Line; roles: RoleOptions };

export type HistorySizeOptions = {
  filled: Installation;
  /** Starts empty. */
  empty: Installation;
  rows: number;
  plan: Pick<
    Plan,
    "historyRounds" | "warmUpEvents" | "drainEvents" | "sustainSeconds" | "latencySeconds"
  >;
  print: (text: string) => void;
};

/** A drain takes seconds only, and its processor time differs by several per cent from one to the next. */
const drainsPerRound = 3;

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
  const drains: DrainResult[] = [];
  for (let n = 0; n < drainsPerRound; n += 1) {
    drains.push(await drain(rig, { line, roles, events: drainEvents }));
  }
  const sustained = await sustain(rig, { line, roles, seconds: sustainSeconds, size: busySize });
  const { fromCommitMs } = await latency(rig, quiet);
  await rig.stopRoles();
  return { name, bareLoop, drain: medianOfAll(drains), sustained, quiet: { fromCommitMs } };
}

/** The sides take turns in going first, so that a machine that slows down favours neither. */
async function compare(options: HistorySizeOptions, name: string): Promise<SizeRound[]> {
  const measureEmpty = () => measure(options.empty, options, "nothing at first");
  const measureFilled = () => measure(options.filled, options, name);
  const rounds: SizeRound[] = [];
  for (let round = 0; round < options.plan.historyRounds; round += 1) {
    if (round % 2 === 0) {
      const empty = await measureEmpty();
      rounds.push({ empty, filled: await measureFilled() });
    } else {
      const filled = await measureFilled();
      rounds.push({ empty: await measureEmpty(), filled });
    }
  }
  return rounds;
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

async function databaseGigabytes(db: Db): Promise<number> {
  const sql = "SELECT pg_database_size(current_database()) AS bytes";
  const [size] = await rowsOf<{ bytes: number }>(db, sql);
  return (size?.bytes ?? 0) / 1e9;
}

export async function historySize(options: HistorySizeOptions): Promise<HistorySizeResult> {
  const { filled, rows, print } = options;
  const { rig } = filled;
  const { db } = rig.stack;
  await rig.stopRoles(); // those of the part before this one
  const startedAt = performance.now();
  const onProgress = (made: number): void => print(`  ${made.toLocaleString("en-US")} in the log`);
  const { enterpriseId } = await manyDeliveries(db, {
    ...{ count: rows, subscriptions, days, live: 0, onProgress },
  });
  await continueAfter(db);
  await skipFilled(rig);
  const fillMinutes = (performance.now() - startedAt) / 60_000;
  const gigabytes = await databaseGigabytes(db);
  const behind = await compare(options, `${rows.toLocaleString("en-US")} attempts in the log`);
  const waitingRows = Math.min(rows, maxWaiting);
  await addBacklog(db, enterpriseId, waitingRows);
  await continueAfter(db);
  await skipFilled(rig);
  const waitingCount = waitingRows.toLocaleString("en-US");
  const waiting = await compare(options, `the same, and ${waitingCount} that wait`);
  return { rows, fillMinutes, gigabytes, behind, waiting };
}
