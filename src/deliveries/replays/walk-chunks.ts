/** Reads the next chunk of a walk: deliveries by sequence, then events by id. */
import {
  type ReplayCandidateRow,
  findLastSequenceBefore,
  scanDeliveries,
  scanUndeliveredEvents,
  type UndeliveredEventRow,
} from "../../pipeline/ledger/queries/replay-candidates.ts";
import type { WalkPosition, Replay } from "./model.ts";
import type { Queryable } from "../../platform/db/pool.ts";
import { compileFilters } from "../../contracts/filters.ts";
import { compileConditions } from "../../pipeline/ledger/conditions.ts";
import { revisionAt, type Revision } from "../../pipeline/ledger/match-event.ts";
import { readRevisionsWithin } from "../../pipeline/ledger/revisions.ts";
import { createEventLoopYielder } from "../../platform/concurrency/pace.ts";
import type { ReplayMatching } from "./criteria.ts";

/** The part of a replay that a walk needs. */
export type ReplayScope = Pick<
  Replay,
  | "enterpriseId"
  | "subscriptionId"
  | "criteria"
  | "matching"
  | "lastSequence"
  | "lastEventRowId"
  | "created"
> & {
  /** Older deliveries may be deleted: whether they existed is unknown. */
  logSince: Date;
};

export type ReplayCandidate = {
  eventRowId: number;
  eventAt: Date;
  object: string;
  key: string;
  replayOf: number | null;
  /** Null if the event is deleted. */
  eventId: string | null;
  /** Whether the event and its content still exist, so that there is something to send. */
  isKept: boolean;
};

export type ReplayChunk = { found: ReplayCandidate[]; next: WalkPosition };

/** Maximum rows to read, and maximum matches to return. */
export type ChunkLimits = { scanLimit: number; matchLimit: number };

/**
 * Reads deliveries of the subscription by sequence. The newest delivery of an event represents it,
 * so a walk finds an event once; what ended after the request of the replay does not count. Returns
 * `after` as the next position when all are read.
 */
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
      hasReachedScanLimit: scanned === limits.scanLimit,
      last: last_scanned ?? 0,
      truncatedAt: matched.length === limits.matchLimit ? (matched.at(-1)?.cursor ?? 0) : undefined,
    },
    after,
  );
  return { found: matched.map(toReplayCandidate), next };
}

/** Deliveries are created after their events: the maximum clock difference between processes. */
const skewMs = 600_000;

/** A sequence before which every delivery was created long before the period. */
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

const endOfTime = new Date(Date.UTC(9998, 0, 1));

/** Events with bodies are large, so fewer are read at a time. */
const maxBodies = 500;

/**
 * Reads events that never had a delivery and match the subscription, by id; for a recovery only those
 * that its settings of their time let through too. Events in the outbox are left to the relay.
 */
export async function readEventChunk(
  db: Queryable,
  scope: ReplayScope,
  place: WalkPosition,
  limits: ChunkLimits,
): Promise<ReplayChunk> {
  const { criteria, matching, logSince } = scope;
  const since = laterOf(criteria.since, logSince);
  const until = criteria.until ?? endOfTime;
  const past = await readSettings(db, scope, { since, until });
  const isBodyNeeded = [matching, ...past].some(({ conditions }) => conditions !== null);
  const scanLimit = isBodyNeeded ? Math.min(limits.scanLimit, maxBodies) : limits.scanLimit;
  const rows = await scanUndeliveredEvents(
    db,
    {
      ...{ since, until, object: criteria.object, eventType: criteria.eventType },
      // A recovery is about an outage. Events of another time can be replayed.
      isOffOnly: criteria.isUndelivered,
    },
    {
      enterpriseId: scope.enterpriseId,
      subscriptionId: scope.subscriptionId,
      after: place.position,
      last: scope.lastEventRowId,
      scanLimit,
      isBodyNeeded,
    },
  );
  const { scanned = 0, last_scanned = null } = rows[0] ?? {};
  const matched = await filterMatching(rows, createMatch(matching, past));
  const taken = matched.slice(0, limits.matchLimit);
  const next = nextOf(
    place,
    {
      hasReachedScanLimit: scanned === scanLimit,
      last: last_scanned ?? 0,
      truncatedAt: taken.length === limits.matchLimit ? (taken.at(-1)?.cursor ?? 0) : undefined,
    },
    { phase: "end", position: 0 },
  );
  return { found: taken.map(toReplayCandidate), next };
}

function laterOf(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}

/** The settings of the subscription in that period; none if they do not matter. */
async function readSettings(
  db: Queryable,
  { enterpriseId, subscriptionId, criteria }: ReplayScope,
  { since, until }: { since: Date; until: Date },
): Promise<readonly Revision[]> {
  if (!criteria.isUndelivered) {
    return [];
  }
  const subscriptions = [{ enterpriseId, subscriptionId }];
  const found = await readRevisionsWithin(db, { subscriptions, first: since, last: until });
  return found.get(subscriptionId) ?? [];
}

type Match = (row: UndeliveredEventRow) => boolean;

async function filterMatching(rows: readonly UndeliveredEventRow[], matches: Match) {
  const yieldToEventLoop = createEventLoopYielder();
  const matched: UndeliveredEventRow[] = [];
  for (const row of rows) {
    if (row.cursor !== null && matches(row)) {
      matched.push(row);
    }
    await yieldToEventLoop();
  }
  return matched;
}

/** Filters first; the payload is parsed only for conditions, and only if it is kept. */
function createMatch({ filters, conditions }: ReplayMatching, past: readonly Revision[]): Match {
  const passes = compileFilters(filters);
  const holds = conditions === null ? null : compileConditions(conditions);
  return (row) => {
    const event = { object: row.object, event: row.event, eventType: row.event_type };
    const inForce = revisionAt(past, row.event_at);
    if (!passes(event) || inForce?.passesFilters(event) === false) {
      return false;
    }
    return meets(row, [holds, inForce?.passesConditions ?? null]);
  };
}

function meets(
  { is_kept, body }: UndeliveredEventRow,
  conditions: readonly Revision["passesConditions"][],
): boolean {
  const needed = conditions.filter((holds) => holds !== null);
  if (needed.length === 0) {
    return true;
  }
  const payload: unknown = is_kept ? JSON.parse(body ?? "null") : undefined;
  return is_kept && needed.every((holds) => holds(payload));
}

/** The next position: after the last match, after the last scanned row, or `after`. */
function nextOf(
  place: WalkPosition,
  {
    hasReachedScanLimit,
    last,
    truncatedAt,
  }: { hasReachedScanLimit: boolean; last: number; truncatedAt: number | undefined },
  after: WalkPosition,
): WalkPosition {
  if (truncatedAt !== undefined) {
    return { ...place, position: truncatedAt };
  }
  return hasReachedScanLimit ? { ...place, position: last } : after;
}

function toReplayCandidate(row: ReplayCandidateRow): ReplayCandidate {
  return {
    eventRowId: row.event_row_id,
    eventAt: row.event_at,
    object: row.object,
    key: row.key,
    replayOf: row.replay_of,
    eventId: row.event_id,
    isKept: row.is_kept,
  };
}
