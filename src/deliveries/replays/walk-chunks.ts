/** What the two parts of a walk have in common. */
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
import { createEventLoopYielder } from "../../platform/concurrency/sleep.ts";
import type { ReplayMatching } from "./criteria.ts";

/** What of a replay a walk has to know. */
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
  /** Deliveries of older events may be deleted: whether they existed is unknown. */
  logSince: Date;
};

export type ReplayCandidate = {
  eventRowId: number;
  eventAt: Date;
  object: string;
  key: string;
  replayOf: number | null;
  /** Null where the event is no longer kept. */
  eventId: string | null;
  /** Whether there is still something to send: the event is there, and its content. */
  isKept: boolean;
};

export type ReplayChunk = { found: ReplayCandidate[]; next: WalkPosition };

/** Rows that are read, and rows that are returned of those that match: at most. */
export type ChunkLimits = { scanLimit: number; matchLimit: number };

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

/**
 * The events that a subscription never had a delivery of, by their ids, and that match what it asks
 * for. What is in the outbox still is the relay's.
 */
const endOfTime = new Date(Date.UTC(9998, 0, 1));

/** With their bodies, events are large: fewer are read at a time. */
const maxBodies = 500;

/** The next part, and where to go on. */
export async function readEventChunk(
  db: Queryable,
  scope: ReplayScope,
  place: WalkPosition,
  limits: ChunkLimits,
): Promise<ReplayChunk> {
  const { criteria, matching, logSince } = scope;
  const since = laterOf(criteria.since, logSince);
  const until = criteria.until ?? endOfTime;
  const isBodyNeeded = matching.conditions !== null;
  const scanLimit = isBodyNeeded ? Math.min(limits.scanLimit, maxBodies) : limits.scanLimit;
  const rows = await scanUndeliveredEvents(
    db,
    { since, until, object: criteria.object, eventType: criteria.eventType },
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
  const matched = await filterMatching(rows, matching);
  const taken = matched.slice(0, limits.matchLimit);
  const next = nextOf(
    place,
    {
      isCutOff: scanned === scanLimit,
      last: last_scanned ?? 0,
      cut: taken.length === limits.matchLimit ? (taken.at(-1)?.cursor ?? 0) : undefined,
    },
    { phase: "end", position: 0 },
  );
  return { found: taken.map(toReplayCandidate), next };
}

function laterOf(a: Date | null, b: Date): Date {
  return a !== null && a > b ? a : b;
}

async function filterMatching(rows: readonly UndeliveredEventRow[], matching: ReplayMatching) {
  const matches = createMatch(matching);
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

/** Filters first; a payload is parsed only where conditions ask for it and it is still there. */
function createMatch({
  filters,
  conditions,
}: ReplayMatching): (row: UndeliveredEventRow) => boolean {
  const passes = compileFilters(filters);
  const holds = conditions === null ? () => true : compileConditions(conditions);
  return (row) =>
    passes({ object: row.object, event: row.event, eventType: row.event_type }) &&
    (conditions === null || (row.is_kept && holds(JSON.parse(row.body ?? "null"))));
}

/** Where to go on: after the last match, after what was scanned, or with what comes `after`. */
function nextOf(
  place: WalkPosition,
  { isCutOff, last, cut }: { isCutOff: boolean; last: number; cut: number | undefined },
  after: WalkPosition,
): WalkPosition {
  if (cut !== undefined) {
    return { ...place, position: cut };
  }
  return isCutOff ? { ...place, position: last } : after;
}

function toReplayCandidate(row: ReplayCandidateRow): ReplayCandidate {
  return {
    eventRowId: row.event_id,
    eventAt: row.event_at,
    object: row.object,
    key: row.key,
    replayOf: row.replay_of,
    eventId: row.message_id,
    isKept: row.is_kept,
  };
}
