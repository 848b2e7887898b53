/**
 * The deliveries that a subscription had, by their sequences. The newest delivery of an event speaks
 * for it, so a walk meets an event once; what ended after the replay was asked for does not count.
 */
import {
  findLastSequenceBefore,
  scanDeliveries,
} from "../../pipeline/ledger/queries/replayable-deliveries.ts";
import type { Queryable } from "../../platform/db/pool.ts";
import {
  nextOf,
  toReplayCandidate,
  type ReplayChunk,
  type ChunkLimits,
  type ReplayScope,
} from "./chunk.ts";
import type { WalkPosition } from "./model.ts";

/** The next part, and where to go on: with `after` where all was read. */
export async function readDeliveryChunk(
  db: Queryable,
  scope: ReplayScope,
  { place, after }: { place: WalkPosition; after: WalkPosition },
  limits: ChunkLimits,
): Promise<ReplayChunk> {
  const { since, until, object, eventType, result, isUndelivered } = scope.criteria;
  const statuses = scope.criteria.statuses.filter((status) => status !== "never_attempted");
  const isWholeWalk = place.position === 0 && statuses.includes("delivered");
  const from = isWholeWalk ? await skipTo(db, scope) : place.position;
  const rows = await scanDeliveries(
    db,
    { statuses, since, until, object, eventType, result, isUndelivered },
    {
      ...limits,
      subscriptionId: scope.subscriptionId,
      after: from,
      last: scope.lastSequence,
      endedBefore: scope.created,
    },
  );
  const matched = rows.filter(({ cursor }) => cursor !== null);
  const { scanned = 0, last_scanned = null } = rows[0] ?? {};
  const next = nextOf(
    place,
    {
      isCutOff: scanned === limits.scanLimit,
      last: last_scanned ?? 0,
      cut: matched.length === limits.matchLimit ? (matched.at(-1)?.cursor ?? 0) : undefined,
    },
    after,
  );
  return { found: matched.map(toReplayCandidate), next };
}

/** Deliveries are made after their events: how much the clocks of processes may differ. */
const skewMs = 600_000;

/** A sequence before which every delivery was made long before the period. */
async function skipTo(db: Queryable, scope: ReplayScope): Promise<number> {
  const { since } = scope.criteria;
  return since === null
    ? 0
    : findLastSequenceBefore(
        db,
        { subscriptionId: scope.subscriptionId, last: scope.lastSequence },
        new Date(since.getTime() - skewMs),
      );
}
