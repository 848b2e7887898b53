/** The part of a recovery that makes nothing: what waits for a retry is due at once. */
import { lockHealth } from "../../pipeline/ledger/health.ts";
import { bringForwardSince, type RetriesSince } from "../../pipeline/ledger/retry-now.ts";
import type { Trx } from "../../platform/db/pool.ts";
import type { Place, Replay } from "./model.ts";
import { startOf } from "./walk.ts";

type Recovery = Pick<Replay, "subscriptionId" | "criteria" | "created">;

/** Rows of one transaction: it holds the health lock. */
const broughtAtOnce = 1_000;

/** Brings the next of them forward. Out: where the replay goes on. */
export async function bringForwardMore(
  trx: Trx,
  { onDue }: { onDue: () => void },
  replay: Recovery,
  now: Date,
): Promise<Place> {
  await lockHealth(trx, [replay.subscriptionId]);
  const given = { now, limit: broughtAtOnce };
  const count = await bringForwardSince(trx, retriesOf(replay), given);
  if (count > 0) {
    void trx.executionPromise.then(onDue, () => undefined);
  }
  return count < broughtAtOnce ? startOf(replay) : { phase: "retries", position: 0 };
}

export function retriesOf({ subscriptionId, criteria, created }: Recovery): RetriesSince {
  return {
    subscriptionId,
    since: criteria.since ?? new Date(0),
    asked: created,
  };
}
