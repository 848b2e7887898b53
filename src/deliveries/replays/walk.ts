/**
 * In: what a replay asks for, and how far it has come. Out: the next of it, in bounded steps.
 * Guarantee: a walk meets every event once, in the order of sequences and then of event ids, and
 * meets the same ones however often it is repeated: what ended, or came, after the replay was
 * requested is ignored. So what was counted is what is created, except for what is gone meanwhile.
 */
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import {
  type ReplayChunk,
  type ChunkLimits,
  type ReplayScope,
  type ReplayCandidate,
  readDeliveryChunk,
  readEventChunk,
} from "./walk-chunks.ts";
import type { WalkPosition, Replay } from "./model.ts";
import { lockHealth } from "../../pipeline/ledger/health.ts";
import { expediteRetriesSince, type RetriesSince } from "../../pipeline/ledger/retry-now.ts";

/** The part of a recovery that makes nothing: what waits for a retry is due at once. */
type RecoveryScope = Pick<Replay, "subscriptionId" | "criteria" | "created">;

/** What a replay would make, without making anything. */
export type ReplayPreview = {
  /** Deliveries that would be made. */
  count: number;
  /** What matches too, but has nothing left to send. */
  skipped: number;
  /** False where the time was over before the walk was. */
  isExact: boolean;
  /** Times of events. */
  oldest: Date | null;
  newest: Date | null;
  /** `webhook-id` of the first ones. */
  examples: string[];
};

/** How long a request may take to count. */
export const previewMs = 5_000;

/** Rows of one transaction: it holds the health lock. */
const maxExpedited = 1_000;

/** Brings the next of them forward. Out: where the replay goes on. */
export async function expediteNext(
  trx: Trx,
  { onDue }: { onDue: () => void },
  replay: RecoveryScope,
  now: Date,
): Promise<WalkPosition> {
  await lockHealth(trx, [replay.subscriptionId]);
  const input = { now, limit: maxExpedited };
  const count = await expediteRetriesSince(trx, retriesOf(replay), input);
  if (count > 0) {
    void trx.executionPromise.then(onDue, () => undefined);
  }
  return count < maxExpedited ? startOf(replay) : { phase: "retries", position: 0 };
}

export function retriesOf({ subscriptionId, criteria, created }: RecoveryScope): RetriesSince {
  return {
    subscriptionId,
    since: criteria.since ?? new Date(0),
    requestedAt: created,
  };
}

const maxScanned = 5_000;

const emptyPreview: ReplayPreview = {
  count: 0,
  skipped: 0,
  isExact: true,
  oldest: null,
  newest: null,
  examples: [],
};

/** Walks until the end or until `budgetMs` are over, in bounded reads. */
export async function previewReplay(
  db: Queryable,
  scope: ReplayScope,
  budgetMs: number,
): Promise<ReplayPreview> {
  const endsAt = performance.now() + budgetMs;
  let preview = emptyPreview;
  let place = startOf(scope);
  while (place.phase !== "end" && performance.now() < endsAt) {
    const chunk = await readChunk(db, scope, place, {
      scanLimit: maxScanned,
      matchLimit: maxScanned,
    });
    preview = addCandidates(preview, chunk.found);
    place = chunk.next;
  }
  return { ...preview, isExact: place.phase === "end" };
}

/** The next part of a walk. One bounded read, but for the few probes that find its beginning. */
export async function readChunk(
  db: Queryable,
  scope: ReplayScope,
  place: WalkPosition,
  limits: ChunkLimits,
): Promise<ReplayChunk> {
  switch (place.phase) {
    case "deliveries":
      return readDeliveryChunk(db, scope, { place, after: afterDeliveries(scope) }, limits);
    case "events":
      return readEventChunk(db, scope, place, limits);
    case "retries":
      return { found: [], next: startOf(scope) };
    case "end":
      return { found: [], next: place };
  }
}

/** Where a walk begins. */
export function startOf(scope: Pick<ReplayScope, "criteria">): WalkPosition {
  return wantsDeliveries(scope) ? { phase: "deliveries", position: 0 } : afterDeliveries(scope);
}

function wantsDeliveries({ criteria }: Pick<ReplayScope, "criteria">): boolean {
  return criteria.statuses.some((status) => status !== "never_attempted");
}

function afterDeliveries(scope: Pick<ReplayScope, "criteria">): WalkPosition {
  return {
    phase: wantsEvents(scope) ? "events" : "end",
    position: 0,
  };
}

function wantsEvents({ criteria }: Pick<ReplayScope, "criteria">): boolean {
  return criteria.statuses.includes("never_attempted");
}

const mostExamples = 5;

/** Pure. */
function addCandidates(seen: ReplayPreview, found: readonly ReplayCandidate[]): ReplayPreview {
  const kept = found.filter(({ isKept }) => isKept);
  const times = kept.map(({ eventAt }) => eventAt.getTime());
  const known = [seen.oldest, seen.newest].filter((time) => time !== null);
  const all = [...times, ...known.map((time) => time.getTime())];
  const ids = kept.slice(0, mostExamples).flatMap(({ eventId }) => eventId ?? []);
  const reduce = (pick: (a: number, b: number) => number): Date | null =>
    all.length === 0 ? null : new Date(all.reduce((a, b) => pick(a, b)));
  return {
    ...seen,
    count: seen.count + kept.length,
    skipped: seen.skipped + found.length - kept.length,
    oldest: reduce(Math.min),
    newest: reduce(Math.max),
    examples: [...seen.examples, ...ids].slice(0, mostExamples),
  };
}
