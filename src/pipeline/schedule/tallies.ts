/**
 * In: settled attempts. Out: their tallies per subscription and interval.
 * Guarantee: each attempt counts once. Reading, adding and the new position are one transaction, so
 * a crash loses or repeats nothing. A late attempt counts in the interval of its start, however
 * long ago. Settlements have no extra work.
 */
import { isDeepStrictEqual } from "node:util";
import { startTimeBudget, type Clock } from "../../platform/clock.ts";
import { createRest } from "../../platform/concurrency/pace.ts";
import { inChunks, mapInOrder } from "../../platform/concurrency/queues.ts";
import { advisoryLocks, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import {
  advanceFeed,
  readTallyBacklog,
  sumNewAttempts,
  sumNewDeliveries,
  type FeedPosition,
  type IdGap,
  type IdRange,
  type TallyBacklog,
} from "../ledger/attempt-feed.ts";
import {
  addToTally,
  emptyTally,
  type AttemptSumRow,
  type AttemptTally,
} from "../ledger/attempt-tallies.ts";
import { addQueueSums, deleteOldQueueSums } from "./queue-tallies.ts";

export type TallyDeps = { db: Db; clock: Clock };

/** Attempts per transaction: about 0.2 s of work. */
const maxBatch = 20_000;

/**
 * Attempts per statement, and tallies: about 10 ms of work. A longer one takes one of two cores from
 * the deliveries for so long that they are late, about one in a hundred of them.
 */
const attemptsPerStatement = 1_000;

const talliesPerStatement = 200;

/** With more tallies, rests would keep the transaction open for too long. */
const mostRestedTallies = 2_000;

const secondsOfHour = 3_600;

/** The resolutions in seconds, and for how many hours each is kept. */
const resolutions: readonly { step: number; hours: number }[] = [
  { step: 10, hours: 6 },
  { step: 60, hours: 3 * 24 },
  { step: 600, hours: 31 * 24 },
  { step: secondsOfHour, hours: 400 * 24 },
];

type ProgressRow = FeedPosition & { made_reached: number; made_missing: IdGap[]; tallied_at: Date };

/** The number of attempts read, and whether there may be more. */
type BatchResult = { read: number; isMore: boolean };

/**
 * Fewer attempts than this are tallied in every pass, so that pages stay current under low traffic.
 */
const smallBatch = 500;

/**
 * More attempts are tallied in larger batches, which are cheaper. Without any, the time of the last
 * batch is at most this old.
 */
const maxWaitMs = 10_000;

/** Tallies if a batch is worthwhile. Returns the number of attempts. */
export async function tallyWhenDue(deps: TallyDeps): Promise<number> {
  const backlog = await readTallyBacklog(deps.db, smallBatch + 1);
  const waitedMs = deps.clock.now().getTime() - (backlog?.talliedAt.getTime() ?? 0);
  return backlog === undefined || waitedMs >= maxWaitMs || isSmall(backlog)
    ? tallyAttempts(deps)
    : 0;
}

function isSmall({ newAttempts, hasMore }: TallyBacklog): boolean {
  return newAttempts <= smallBatch && (newAttempts > 0 || hasMore);
}

/** How long a pass continues while there is more; the next pass continues from there. */
const maxPassMs = 2_000;

/** How long it rests, all in all: one that has much to do must not fall behind. */
const maxRestsMs = 1_000;

/** Tallies all attempts since the last pass. Returns how many. */
export async function tallyAttempts(deps: TallyDeps): Promise<number> {
  const startedMs = performance.now();
  let all = 0;
  const rest = createRest(maxRestsMs);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- batches: each is a transaction
    const { read: count, isMore } = await tallyNextBatch(deps, rest);
    all += count;
    if (!isMore || performance.now() - startedMs > maxPassMs) {
      return all;
    }
  }
}

const progressSql = `
  SELECT reached, missing, made_reached, made_missing, tallied_at FROM delivery_tally_progress`;

/**
 * One transaction; does nothing while another process works. It has no transaction id before it
 * writes: one that is open for a second would keep the old versions of all rows.
 */
function tallyNextBatch({ db, clock }: TallyDeps, rest: Rest): Promise<BatchResult> {
  return inTransaction(db, async (trx) => {
    // A table without statistics, such as the partition of a new day, would be read whole.
    await trx.raw("SET LOCAL enable_seqscan = off");
    const [lock] = await rowsOf<{ is_mine: boolean }>(
      trx,
      "SELECT pg_try_advisory_xact_lock(?) AS is_mine",
      [advisoryLocks.tallies],
    );
    const [progress] = lock?.is_mine === true ? await rowsOf<ProgressRow>(trx, progressSql) : [];
    return progress === undefined
      ? { read: 0, isMore: false }
      : tallyBatch(trx, progress, { now: clock.now(), rest });
  });
}

const addSql = `
  INSERT INTO delivery_tallies AS t (subscription_id, enterprise_id, step, at, delivered, failed,
    retried, dead, latencies, answers)
  SELECT r.* FROM json_to_recordset(CAST(? AS json)) AS r(subscription_id bigint,
    enterprise_id bigint, step integer, at timestamptz, delivered integer, failed integer,
    retried integer, dead integer, latencies integer[], answers integer[])
  ON CONFLICT (subscription_id, step, at, enterprise_id) DO UPDATE SET
    delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed,
    retried = t.retried + excluded.retried, dead = t.dead + excluded.dead,
    latencies = ${sumOfArrays("latencies")}, answers = ${sumOfArrays("answers")}`;

const saveProgressSql = `
  UPDATE delivery_tally_progress SET reached = ?, missing = ?, made_reached = ?, made_missing = ?,
    tallied_at = ?`;

/** Reads new attempts, adds them, and stores the new position. */
async function tallyBatch(trx: Trx, progress: ProgressRow, pace: Pace): Promise<BatchResult> {
  const { now, rest } = pace;
  const settled = await readInPieces(progress, pace, (feed) =>
    sumNewAttempts(trx, feed, attemptsPerStatement),
  );
  const madeFeed = { reached: progress.made_reached, missing: progress.made_missing };
  const made = await readInPieces(madeFeed, pace, (feed) =>
    sumNewDeliveries(trx, feed, attemptsPerStatement),
  );
  const [current] = await rowsOf<ProgressRow>(trx, `${progressSql} FOR UPDATE`);
  if (!isDeepStrictEqual(current, progress)) {
    return { read: 0, isMore: false }; // by a process of a version that does not know the lock
  }
  const rows = rowsFrom(
    settled.pieces.flatMap(({ sums }) => sums),
    now,
  );
  await mapInOrder(inChunks(rows, talliesPerStatement), async (chunk) => {
    await rowsOf(trx, addSql, [JSON.stringify(chunk)]);
    const mayRest = chunk.length === talliesPerStatement && rows.length <= mostRestedTallies;
    await (mayRest ? rest() : undefined);
  });
  const ended = settled.pieces.flatMap((piece) => piece.ended);
  const created = made.pieces.flatMap(({ sums }) => sums);
  await addQueueSums(trx, [...ended, ...created], now);
  const isMore = settled.read >= maxBatch || made.read >= maxBatch;
  await rowsOf(trx, saveProgressSql, [
    ...[settled.feed.reached, JSON.stringify(settled.feed.missing)],
    ...[made.feed.reached, JSON.stringify(made.feed.missing)],
    // Attempts that are not read yet do not count yet.
    isMore ? progress.tallied_at : now,
  ]);
  return { read: settled.read, isMore };
}

type FeedPiece = { islands: IdRange[]; read: number };

type Rest = () => Promise<void>;

type Pace = { now: Date; rest: Rest };

/** Reads up to the end of a feed, or `maxBatch`, with pauses. Looks into known gaps only once. */
async function readInPieces<T extends FeedPiece>(
  from: FeedPosition,
  { now, rest }: Pace,
  readPiece: (feed: FeedPosition) => Promise<T>,
): Promise<{ feed: FeedPosition; pieces: T[]; read: number }> {
  const pieces: T[] = [];
  let feed = from;
  let read = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the next one begins where this one ends
    const piece = await readPiece(pieces.length === 0 ? from : { ...feed, missing: [] });
    feed = advanceFeed(feed, piece.islands, now.getTime());
    pieces.push(piece);
    read += piece.read;
    if (piece.read < attemptsPerStatement || read >= maxBatch) {
      return { feed, pieces, read };
    }
    // oxlint-disable-next-line no-await-in-loop -- a pause
    await rest();
  }
}

type TallyRow = AttemptTally & {
  subscription_id: number;
  enterprise_id: number;
  step: number;
  at: Date;
};

/** The changes of each interval that is still kept. Pure. */
function rowsFrom(sums: readonly AttemptSumRow[], now: Date): TallyRow[] {
  const nowSeconds = now.getTime() / 1_000;
  const rows = new Map<string, TallyRow>();
  for (const sum of sums) {
    const { subscription_id, enterprise_id } = sum;
    for (const { step } of resolutions.filter(
      ({ hours }) => nowSeconds - sum.at < hours * secondsOfHour,
    )) {
      const at = Math.floor(sum.at / step) * step;
      const key = `${subscription_id} ${step} ${at}`;
      const known = rows.get(key);
      const row = known ?? {
        subscription_id,
        enterprise_id,
        step,
        at: new Date(at * 1_000),
        ...emptyTally(),
      };
      rows.set(key, row);
      addToTally(row, sum);
    }
  }
  return [...rows.values()];
}

/** Tallies deleted by one statement. */
const deletedAtOnce = 50_000;

/**
 * Deletes tallies of finer resolutions that are past their age; what takes too long is left to the
 * next pass. With thousands of busy webhooks a single batch per pass would be less than is added.
 */
export async function deleteOldTallies(
  { db, clock }: TallyDeps,
  { signal, atOnce = deletedAtOnce }: { signal?: AbortSignal; atOnce?: number } = {},
): Promise<void> {
  const budget = startTimeBudget(clock, signal);
  for (const { step, hours } of resolutions) {
    const before = new Date(clock.now().getTime() - hours * secondsOfHour * 1_000);
    let isMore = true;
    while (isMore && !budget.isSpent()) {
      // oxlint-disable-next-line no-await-in-loop -- short statements, one after the other
      const [row] = await rowsOf<{ count: number }>(
        db,
        `WITH gone AS (
           DELETE FROM delivery_tallies WHERE ctid = ANY(ARRAY(
             SELECT ctid FROM delivery_tallies WHERE step = ? AND at < ? LIMIT ?)) RETURNING 1)
         SELECT count(*) AS count FROM gone`,
        [step, before, atOnce],
      );
      isMore = row?.count === atOnce;
    }
  }
  await deleteOldQueueSums(db, clock.now());
}

function sumOfArrays(column: string): string {
  return `ARRAY(
  SELECT coalesce(a, 0) + coalesce(b, 0)
  FROM unnest(t.${column}, excluded.${column}) WITH ORDINALITY AS u(a, b, place) ORDER BY place)`;
}
