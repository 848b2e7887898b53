/**
 * In: attempts as they are settled. Out: their sums per subscription and piece of time.
 * Guarantee: each attempt is counted once. What was read, what it adds and how far that is are one
 * transaction, so a process that dies between two lines has counted nothing, and the next one reads
 * the same again. A late attempt is counted where it began, however long ago that is.
 * Where settlements are written nothing is added to their work.
 */
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, namedRowsOf, rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import {
  addSum,
  advance,
  emptyTally,
  feedSql,
  islandsSql,
  sumsSql,
  type Feed,
  type Gap,
  type Island,
  type SumRow,
  type Tally,
} from "../ledger/attempt-feed.ts";

export type TallyDeps = { db: Db; clock: Clock };

/** Attempts of one transaction: a tenth of a second of work. */
const most = 20_000;

/** A pass goes on for so long where there is more; the next one goes on from there. */
const longestMs = 2_000;

const secondsOfHour = 3_600;

/** Lengths of the pieces, in seconds, and for how many hours each is kept. */
const kept: readonly { step: number; hours: number }[] = [
  { step: 10, hours: 6 },
  { step: 60, hours: 3 * 24 },
  { step: 600, hours: 31 * 24 },
  { step: secondsOfHour, hours: 400 * 24 },
];

type Row = Tally & { subscription_id: number; enterprise_id: number; step: number; at: Date };

/** What these sums add to each piece of time that is still kept. Pure. */
const rowsFrom = (sums: readonly SumRow[], now: Date): Row[] => {
  const nowSeconds = now.getTime() / 1_000;
  const rows = new Map<string, Row>();
  for (const sum of sums) {
    const { subscription_id, enterprise_id } = sum;
    for (const { step } of kept.filter(
      ({ hours }) => nowSeconds - sum.at < hours * secondsOfHour,
    )) {
      const at = Math.floor(sum.at / step) * step;
      const key = `${subscription_id} ${step} ${at}`;
      const known = rows.get(key);
      const row = known ?? {
        ...{ subscription_id, enterprise_id, step, at: new Date(at * 1_000) },
        ...emptyTally(),
      };
      rows.set(key, row);
      addSum(row, sum);
    }
  }
  return [...rows.values()];
};

const sumOfArrays = (column: string): string => `ARRAY(
  SELECT coalesce(a, 0) + coalesce(b, 0)
  FROM unnest(t.${column}, excluded.${column}) WITH ORDINALITY AS u(a, b, place) ORDER BY place)`;

const addSql = `
  INSERT INTO delivery_tallies AS t (subscription_id, enterprise_id, step, at, delivered, failed,
    retried, dead, latencies, answers)
  SELECT r.* FROM json_to_recordset(CAST(? AS json)) AS r(subscription_id bigint,
    enterprise_id bigint, step integer, at timestamptz, delivered integer, failed integer,
    retried integer, dead integer, latencies integer[], answers integer[])
  ON CONFLICT (subscription_id, step, at) DO UPDATE SET
    delivered = t.delivered + excluded.delivered, failed = t.failed + excluded.failed,
    retried = t.retried + excluded.retried, dead = t.dead + excluded.dead,
    latencies = ${sumOfArrays("latencies")}, answers = ${sumOfArrays("answers")}`;

const readSql = `
  WITH ${feedSql()}
  SELECT ${islandsSql} AS islands,
    ${sumsSql("CAST(floor(extract(epoch FROM started_at) / 10) * 10 AS bigint)")} AS sums,
    (SELECT count(*) FROM fresh) AS read`;

type Read = { islands: Island[]; sums: SumRow[]; read: number };

const read = async (trx: Trx, { reached, missing }: Feed): Promise<Read> => {
  const bindings = { reached, missing: JSON.stringify(missing), since: new Date(0), most };
  const [row] = await namedRowsOf<Read>(trx, readSql, bindings);
  return row ?? { islands: [], sums: [], read: 0 };
};

type ProgressRow = { reached: number; missing: Gap[] };

/** One transaction. Tells how many attempts it read; 0 where another process is at it. */
const tallySome = ({ db, clock }: TallyDeps): Promise<number> =>
  inTransaction(db, async (trx) => {
    const [progress] = await rowsOf<ProgressRow>(
      trx,
      "SELECT reached, missing FROM delivery_tally_progress FOR UPDATE SKIP LOCKED",
    );
    if (progress === undefined) {
      return 0;
    }
    const now = clock.now();
    const { islands, sums, read: count } = await read(trx, progress);
    if (sums.length > 0) {
      await rowsOf(trx, addSql, [JSON.stringify(rowsFrom(sums, now))]);
    }
    const { reached, missing } = advance(progress, islands, now.getTime());
    await rowsOf(
      trx,
      "UPDATE delivery_tally_progress SET reached = ?, missing = ?, tallied_at = ?",
      [reached, JSON.stringify(missing), now],
    );
    return count;
  });

/** Sums up what came since the last pass. Tells how many attempts that were. */
export const tallyAttempts = async (deps: TallyDeps): Promise<number> => {
  const startedMs = performance.now();
  let all = 0;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- batches: each is a transaction
    const count = await tallySome(deps);
    all += count;
    if (count < most || performance.now() - startedMs > longestMs) {
      return all;
    }
  }
};

/** Deletes sums that nobody asks for in such detail any more. */
export const deleteOldTallies = async ({ db, clock }: TallyDeps): Promise<void> => {
  for (const { step, hours } of kept) {
    const before = new Date(clock.now().getTime() - hours * secondsOfHour * 1_000);
    // oxlint-disable-next-line no-await-in-loop -- four short statements
    await rowsOf(
      db,
      `DELETE FROM delivery_tallies WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM delivery_tallies WHERE step = ? AND at < ? LIMIT 50000))`,
      [step, before],
    );
  }
};
