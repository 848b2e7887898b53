import { dayMs, type Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { readKeptSince } from "../../pipeline/ledger/queries/event-deliveries.ts";
import { readTarget } from "../delivery-target.ts";
import { resolvePeriod, type RequestedPeriod } from "../../http/values.ts";
import { createExpensiveQueryLimiter } from "../../http/limits.ts";
import { reconcile, type ReconcilePeriod, type ReconcileCounts } from "./reconcile.ts";
import {
  listManifest,
  readSequences,
  type ManifestRow,
} from "../../pipeline/ledger/queries/reconciliation.ts";

export type Reconciliation = ReconcileCounts & {
  since: Date;
  until: Date;
  /** Since when everything is kept, and whether that shortened the requested period. */
  keptSince: Date;
  isClamped: boolean;
};

export type Manifest = {
  from: number;
  to: number;
  lastSequence: number;
  /** The lowest sequence that is still kept; null if none. */
  keptFrom: number | null;
  rows: ManifestRow[];
  /** Ranges of sequences of this page that are deleted. */
  missing: { from: number; to: number }[];
  next: number | null;
};

export type Reconciliations = {
  /** Starts a comparison, by default of the last day, or continues one. */
  reconcile(
    enterpriseId: number,
    asked: RequestedPeriod | ReconcilePeriod,
  ): Promise<Reconciliation>;
  manifest(
    enterpriseId: number,
    subscriptionId: number,
    page: { from: number; to: number | undefined; limit: number },
  ): Promise<Manifest>;
};

export type ReconciliationDeps = {
  db: Db;
  clock: Clock;
  /** Default retention for enterprises without their own. */
  retentionDays: number;
};

export function createReconciliations(deps: ReconciliationDeps): Reconciliations {
  const limiter = createExpensiveQueryLimiter();
  const compare = createReconcile(deps);
  return {
    reconcile: (enterpriseId, query) => limiter(enterpriseId, () => compare(enterpriseId, query)),
    manifest: createManifest(deps),
  };
}

function createReconcile({
  db,
  clock,
  retentionDays,
}: ReconciliationDeps): Reconciliations["reconcile"] {
  return async (enterpriseId, asked) => {
    const now = clock.now();
    const { since, until } = resolvePeriod(asked, { now, defaultMs: dayMs });
    const kept = await readKeptSince(db, enterpriseId, { now, defaultDays: retentionDays });
    const clamped = { since: kept > since ? kept : since, until: kept > until ? kept : until };
    const afterId = "afterId" in asked ? asked.afterId : 0;
    const counts = await reconcile(db, enterpriseId, { ...clamped, afterId });
    return { ...counts, ...clamped, keptSince: kept, isClamped: kept > since };
  };
}

function createManifest({ db }: ReconciliationDeps): Reconciliations["manifest"] {
  return async (enterpriseId, subscriptionId, { from, to, limit }) => {
    await readTarget(db, enterpriseId, subscriptionId);
    // The rows are read after the sequences: later sequences are left out, and none is missed.
    const { last, first } = await readSequences(db, subscriptionId);
    const end = Math.min(to ?? last, last);
    const rows = await listManifest(db, subscriptionId, { from, to: end, limit });
    const reached = rows.length < limit ? end : (rows.at(-1)?.sequence ?? end);
    return {
      from,
      to: end,
      lastSequence: last,
      keptFrom: first,
      rows,
      missing: missingOf(rows, from, reached),
      next: reached < end ? reached + 1 : null,
    };
  };
}

function missingOf(rows: readonly ManifestRow[], from: number, to: number): Manifest["missing"] {
  const missing: Manifest["missing"] = [];
  let expected = from;
  for (const { sequence } of rows) {
    if (sequence > expected) {
      missing.push({ from: expected, to: sequence - 1 });
    }
    expected = sequence + 1;
  }
  if (expected <= to) {
    missing.push({ from: expected, to });
  }
  return missing;
}
