/**
 * Writes events like use cases do: with `append`, in transactions, through a pool. Wakes the relay as
 * the web process does. The recorded time of an event is just before its COMMIT, so a latency
 * includes the commit.
 */
import { toWakeWord } from "../../src/contracts/events.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { createNotifier, notifyOn } from "../../src/platform/db/notify.ts";
import { openPool, type Db, type Trx } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import type { QueueBackend } from "../../src/platform/queue/job-queue.ts";
import { openNotify } from "../../src/platform/queue/redis-wake.ts";
import { serveCommands } from "../support/commands.ts";
import { benchEvent, eventIdOf } from "../support/events.ts";
import { nowMs } from "../support/statistics.ts";

type Range = { first: number; count: number };

let db: Db | undefined;
let append: (trx: Trx, range: Range) => Promise<void> = async () => undefined;
/** The enterprises of the events, round-robin. */
let enterpriseIds: readonly number[] = [];

function numbersOf({ first, count }: Range): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function enterpriseOf(event: number): number {
  return enterpriseIds[event % enterpriseIds.length] ?? 0;
}

async function transaction(work: (trx: Trx) => Promise<void>): Promise<number> {
  if (db === undefined) {
    throw new Error("Not connected");
  }
  return inTransaction(db, async (trx) => {
    await work(trx);
    return nowMs();
  });
}

function chunksOf({ first, count }: Range, size: number): Range[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
    first: first + index * size,
    count: Math.min(size, count - index * size),
  }));
}

function aim(input: { enterpriseIds: readonly number[] }): void {
  ({ enterpriseIds } = input);
}

function connect(input: {
  url: string;
  /** Where wake-ups are published. A relay that does not listen there is woken over Postgres. */
  backend: QueueBackend;
  enterpriseIds: readonly number[];
  connections: number;
}): void {
  aim(input);
  const pool = openPool({ url: input.url, maxConnections: input.connections, name: "bench" });
  db = pool;
  const log = createLogger("silent", "bench");
  const { notify } = openNotify(input.backend, notifyOn(pool), log);
  const notifier = createNotifier(notify, log);
  append = async (trx, range) => {
    const numbers = numbersOf(range);
    let next = range.first;
    const outbox = createOutbox({
      maxBytes: 262_144,
      ids: { eventId: () => eventIdOf(next++) },
      clock: systemClock,
      wake: (kinds) => kinds.forEach((kind) => notifier.wake("outbox", toWakeWord(kind))),
      faultPoint: () => undefined,
    });
    await outbox.append(
      trx,
      numbers.map((number) => benchEvent(enterpriseOf(number), number)),
    );
  };
}

/** Writes everything in one transaction. Returns the time of the commit. */
async function preload(range: Range): Promise<number> {
  return transaction(async (trx) => {
    for (const chunk of chunksOf(range, 1_000)) {
      await append(trx, chunk);
    }
  });
}

/** Fewer than the pool size, so that a connection is left for the wake-up. */
const connections = 10;

/** Writes at full speed, in transactions of `size` events. */
async function fill({ range, size }: { range: Range; size: number }): Promise<void> {
  const chunks = chunksOf(range, size).toReversed();
  const appendChunks = async (): Promise<void> => {
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) {
      const taken = chunk;
      await transaction((trx) => append(trx, taken));
    }
  };
  await Promise.all(Array.from({ length: connections }, appendChunks));
}

export type OpenLoopResult = {
  /** By event: the scheduled time, and the time of the COMMIT. */
  scheduledAt: Float64Array;
  committedAt: Float64Array;
};

/**
 * Writes at fixed times, even if earlier writes are not finished: a slow system does not slow down
 * the load (open-loop load, without coordinated omission).
 */
async function openLoop(input: {
  range: Range;
  perSecond: number;
  size: number;
}): Promise<OpenLoopResult> {
  const { range, perSecond, size } = input;
  const scheduledAt = new Float64Array(range.count);
  const committedAt = new Float64Array(range.count);
  const startAt = nowMs() + 20;
  const writes: Promise<void>[] = [];
  for (const chunk of chunksOf(range, size)) {
    const offset = chunk.first - range.first;
    const dueAt = startAt + (offset / perSecond) * 1_000;
    while (nowMs() < dueAt) {
      await sleep(Math.max(0, dueAt - nowMs() - 0.5));
    }
    scheduledAt.fill(dueAt, offset, offset + chunk.count);
    const write = async (): Promise<void> => {
      committedAt.fill(
        await transaction((trx) => append(trx, chunk)),
        offset,
        offset + chunk.count,
      );
    };
    writes.push(write());
  }
  await Promise.all(writes);
  return { scheduledAt, committedAt };
}

const commands = { connect, aim, preload, fill, openLoop };

export type GeneratorCommands = typeof commands;
serveCommands(commands);
