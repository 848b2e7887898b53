/**
 * The events that a subscription never had a delivery of, by their ids, and that match what it asks
 * for. What is in the outbox still is the relay's.
 */
import { compileFilters } from "../../contracts/filters.ts";
import { compileConditions } from "../../pipeline/ledger/conditions.ts";
import { createEventLoopYielder } from "../../platform/concurrency/sleep.ts";
import {
  scanUndeliveredEvents,
  type UndeliveredEventRow,
} from "../../pipeline/ledger/queries/undelivered-events.ts";
import type { Queryable } from "../../platform/db/pool.ts";
import type { ReplayMatching } from "./criteria.ts";
import {
  nextOf,
  toReplayCandidate,
  type ReplayChunk,
  type ChunkLimits,
  type ReplayScope,
} from "./chunk.ts";
import type { WalkPosition } from "./model.ts";

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
