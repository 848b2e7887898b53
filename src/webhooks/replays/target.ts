/** The webhook that a replay is for, and what of its past there is to look at. */
import { problem } from "../../contracts/problems.ts";
import { lockTarget, readTarget, type EnlistTarget } from "../../pipeline/ledger/enlist.ts";
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import { notFound } from "../require.ts";
import type { Scope } from "./chunk.ts";
import type { Criteria } from "./criteria.ts";
import { findLastEventId, readLogSince, readMatching } from "./store.ts";

/** Throws the problem of one that is not there, or is pulled. */
export async function readPushed(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<EnlistTarget> {
  return requirePushed(await readTarget(db, enterpriseId, id), id);
}

/** The same under the health lock, which is kept until the transaction ends. */
export async function lockPushed(
  trx: Trx,
  { enterpriseId }: Readonly<{ enterpriseId: number }>,
  id: number,
): Promise<EnlistTarget> {
  return requirePushed(await lockTarget(trx, enterpriseId, id), id);
}

function requirePushed(target: EnlistTarget | undefined, id: number): EnlistTarget {
  if (target === undefined) {
    throw notFound(id);
  }
  if (target.mode === "pull") {
    const detail =
      "A webhook that is pulled keeps its events: ask for them again from an older cursor.";
    throw problem("conflict", detail);
  }
  return target;
}

/** What a replay that is asked for now has to look at. */
export async function scopeOfNow(
  db: Queryable,
  { enterpriseId, subscriptionId, lastSequence }: EnlistTarget,
  given: { criteria: Criteria; retentionDays: number; now: Date },
): Promise<Scope> {
  return {
    ...{ enterpriseId, subscriptionId, lastSequence },
    criteria: given.criteria,
    matching: await readMatching(db, subscriptionId),
    lastEventId: await findLastEventId(db, enterpriseId),
    created: given.now,
    logSince: await readLogSince(db, enterpriseId, given),
  };
}
