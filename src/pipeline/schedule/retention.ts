/**
 * In: the passing of days, and what each enterprise wants kept. Out: partitions for the days to
 * come, old ones dropped; contents, ended deliveries and their leftovers removed.
 * Guarantee: nothing that has not ended is ever removed or emptied, whatever its age.
 * On crash: the next pass goes on; the default partitions catch what no partition was made for.
 */
import { rowsOf } from "../../platform/db/pool.ts";
import { cancelExpunged } from "../ledger/expunge.ts";
import { startBudget } from "./budget.ts";
import { removeContents, type Visits } from "./contents.ts";
import { deleteOldRowsFor, type Walk } from "./old-rows.ts";
import { dropPartitionsFor, makePartitionsFor, type PartitionDeps } from "./partitions.ts";
import { readTerms } from "./terms.ts";

export type RetentionDeps = PartitionDeps & {
  /** Kept so long where an enterprise has not said otherwise. */
  retentionDays: number;
};

type Progress = { visits: Visits; walk: Walk };

/** Makes the partitions of today and the next days. Several processes may do so at once. */
export async function makePartitions(deps: RetentionDeps): Promise<void> {
  return makePartitionsFor(deps, await readTerms(deps.db, deps.retentionDays));
}

/** Drops partitions that nobody keeps any longer and nothing alive needs. */
export async function dropPartitions(deps: RetentionDeps): Promise<void> {
  return dropPartitionsFor(deps, await readTerms(deps.db, deps.retentionDays));
}

const dayMs = 86_400_000;

/**
 * Deletes ended deliveries, attempts and contents past the days of their enterprise, and tokens and
 * idempotency keys past their life. Tells how many deliveries went.
 */
export async function deleteOldRows(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, retentionDays } = deps;
  const budget = startBudget(clock, signal);
  const now = clock.now().getTime();
  await rowsOf(db, "DELETE FROM tokens WHERE expires_at < ?", [new Date(now)]);
  await rowsOf(db, "DELETE FROM idempotency_keys WHERE created_at < ?", [new Date(now - dayMs)]);
  await cancelExpunged(db, clock.now());
  const terms = await readTerms(db, retentionDays);
  const { visits, walk } = progressFor(deps);
  const deliveries = await deleteOldRowsFor(deps, { terms, walk, budget });
  await removeContents(deps, { terms, visits, budget });
  return deliveries;
}

/** How far each schedule has come. Only haste: without it everything is looked through once more. */
const progressOf = new WeakMap<RetentionDeps, Progress>();

function progressFor(deps: RetentionDeps): Progress {
  const known = progressOf.get(deps) ?? { visits: new Map(), walk: { after: 0, begunAt: 0 } };
  progressOf.set(deps, known);
  return known;
}
