/**
 * In: what a replay asks for, and how far it has come. Out: the next of it, in bounded steps.
 * Guarantee: a walk meets every event once, in the order of sequences and then of event ids, and
 * meets the same ones however often it is repeated: what ended, or came, after the replay was
 * requested is ignored. So what was counted is what is created, except for what is gone by then.
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
import { afterCommit } from "../../platform/db/open-transaction.ts";

/** The retry phase of a recovery: no new deliveries, retries become due now. */
type RecoveryScope = Pick<Replay, "subscriptionId" | "criteria" | "created">;

/** A preview of a replay. Creates nothing. */
export type ReplayPreview = {
  /** Deliveries that would be created. */
  count: number;
  /** Matches without content, which cannot be sent. */
  skipped: number;
  /** False if the time was over before the walk ended. */
  isExact: boolean;
  /** Times of the events. */
  oldest: Date | null;
  newest: Date | null;
  /** The first event ids. */
  examples: string[];
};

/** Time limit of a preview. */
export const previewMs = 5_000;

/** Batch size of one transaction, which holds the health lock. */
const maxExpedited = 1_000;

/** Expedites the next retries. Returns the next position. */
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
    afterCommit(trx, onDue);
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

/** Walks until the end or until `budgetMs` is over, in bounded reads. */
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

/** Reads the next chunk: one bounded query, plus a few probes that find its start. */
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

/** Where a walk starts. */
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
