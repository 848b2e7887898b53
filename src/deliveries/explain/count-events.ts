/**
 * Counts the events of a period by their verdict at one subscription. In: a period. Out: counts by
 * verdict, by kind of event, by state and by result, each with an example.
 * Guarantee: reads at most 20,000 events, newest first, and says where it stopped.
 */
import type { AttemptResult, DeliveryState } from "../../contracts/deliveries.ts";
import { explainFilters, type FilterMismatch } from "../../contracts/filters.ts";
import type { Trx } from "../../platform/db/pool.ts";
import type { EventDelivery } from "../../pipeline/ledger/queries/event-deliveries.ts";
import type { PastEvent } from "../../pipeline/ledger/queries/events.ts";
import { listEventsBackwards } from "../../pipeline/ledger/queries/subscription-period.ts";
import { createPace } from "../../platform/concurrency/pace.ts";
import { assessEvents, type AssessedEvent, type PeriodSubject } from "./assess-events.ts";
import { unmatchedVerdicts, type ExplainVerdict, type Finding } from "./findings.ts";

/** The part of an event that no filter matched: the object comes before the event. */
export type Mismatch = Exclude<FilterMismatch["mismatch"], "unknown">;

export type VerdictCount = {
  verdict: ExplainVerdict;
  count: number;
  /** Those older than a minute, for which a verdict such as "in flight" is no longer normal. */
  late: number;
  /** The newest of these events. */
  event: PastEvent;
  deliveryId: number | null;
  finding: Finding;
  /** Only for `filters`. */
  mismatches: Map<Mismatch, number>;
};

export type KindCount = {
  object: string;
  event: string;
  eventType: string | null;
  count: number;
  matched: number;
};

export type PeriodCounts = {
  events: number;
  /** Events that matched the webhook. */
  matched: number;
  verdicts: ReadonlyMap<ExplainVerdict, VerdictCount>;
  kinds: readonly KindCount[];
  deliveries: number;
  states: ReadonlyMap<DeliveryState, number>;
  /** By the result of the last attempt; deliveries without an attempt are left out. */
  results: ReadonlyMap<AttemptResult, number>;
  /** Deliveries whose attempts failed and that have not arrived. */
  failing: number;
  /** Deliveries that are due for a minute and were never attempted. */
  overdue: number;
  /** The time of the oldest event that was read, if older ones were left out. */
  truncatedAt: Date | null;
};

type Tally = { -readonly [Name in keyof PeriodCounts]: PeriodCounts[Name] } & {
  verdicts: Map<ExplainVerdict, VerdictCount>;
  kindsByName: Map<string, KindCount>;
  states: Map<DeliveryState, number>;
  results: Map<AttemptResult, number>;
};

const pageSize = 500;

/** The walk ends early if evaluating conditions takes longer. */
const maxMs = 5_000;

export type CountLimits = { maxEvents: number; budgetMs: number };

const defaultLimits: CountLimits = { maxEvents: 20_000, budgetMs: maxMs };

export async function countEvents(
  trx: Trx,
  subject: PeriodSubject,
  period: { since: Date; until: Date },
  { maxEvents, budgetMs }: CountLimits = defaultLimits,
): Promise<PeriodCounts> {
  const tally = emptyTally();
  const state = { pace: createPace(budgetMs), shown: new Set<ExplainVerdict>() };
  const mismatchOf = createMismatch();
  let beforeId: number | null = Number.MAX_SAFE_INTEGER;
  while (beforeId !== null) {
    const range = { ...period, beforeId, limit: Math.min(pageSize, maxEvents - tally.events) };
    const { events, next } = await listEventsBackwards(trx, subject.enterpriseId, range);
    for (const one of await assessEvents(trx, subject, events, state)) {
      count(tally, one, { now: subject.now, mismatchOf });
    }
    beforeId = next;
    if (next !== null && (state.pace.isOver() || tally.events >= maxEvents)) {
      tally.truncatedAt = events.at(-1)?.occurredAt ?? period.since;
      break;
    }
  }
  return { ...tally, kinds: [...tally.kindsByName.values()].toSorted((a, b) => b.count - a.count) };
}

function emptyTally(): Tally {
  return {
    ...{
      events: 0,
      matched: 0,
      deliveries: 0,
      failing: 0,
      overdue: 0,
      truncatedAt: null,
      kinds: [],
    },
    ...{ verdicts: new Map(), kindsByName: new Map(), states: new Map(), results: new Map() },
  };
}

const lateMs = 60_000;

type CountContext = { now: Date; mismatchOf: (one: AssessedEvent) => Mismatch };

function count(tally: Tally, one: AssessedEvent, { now, mismatchOf }: CountContext): void {
  const isMatched = !unmatchedVerdicts.includes(one.verdict);
  tally.events += 1;
  tally.matched += isMatched ? 1 : 0;
  const group = groupOf(tally, one);
  if (group !== undefined) {
    group.count += 1;
    group.late += isOlder(one.event.occurredAt, now) ? 1 : 0;
    if (one.verdict === "filters") {
      add(group.mismatches, mismatchOf(one));
    }
  }
  countKind(tally.kindsByName, one.event, isMatched);
  if (one.delivery !== undefined) {
    countDelivery(tally, one.delivery, now);
  }
}

function isOlder(time: Date, now: Date): boolean {
  return time.getTime() <= now.getTime() - lateMs;
}

/** The group of the verdict; the first event of it, which is the newest, is its example. */
function groupOf({ verdicts }: Tally, one: AssessedEvent): VerdictCount | undefined {
  const { verdict, event, delivery, example } = one;
  if (!verdicts.has(verdict) && example !== undefined) {
    const deliveryId = delivery?.id ?? null;
    const group = { verdict, count: 0, late: 0, event, deliveryId, finding: example };
    verdicts.set(verdict, { ...group, mismatches: new Map() });
  }
  return verdicts.get(verdict);
}

function countKind(kinds: Map<string, KindCount>, event: PastEvent, isMatched: boolean): void {
  const name = `${event.object}.${event.event}:${event.eventType ?? ""}`;
  const kind = kinds.get(name) ?? {
    ...{ object: event.object, event: event.event, eventType: event.eventType },
    ...{ count: 0, matched: 0 },
  };
  kind.count += 1;
  kind.matched += isMatched ? 1 : 0;
  kinds.set(name, kind);
}

function countDelivery(tally: Tally, delivery: EventDelivery, now: Date): void {
  const { state, attempts, lastResult, dueAt, waitsFor } = delivery;
  const isEnded = ["delivered", "available", "cancelled"].includes(state);
  const isFirst = (state === "pending" || state === "queued") && attempts === 0;
  tally.deliveries += 1;
  add(tally.states, state);
  if (lastResult !== null) {
    add(tally.results, lastResult);
  }
  tally.failing += attempts > 0 && !isEnded ? 1 : 0;
  tally.overdue += isFirst && waitsFor === null && isOlder(dueAt, now) ? 1 : 0;
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Memoized: it only depends on the settings and on the kind of event. */
function createMismatch(): CountContext["mismatchOf"] {
  const known = new Map<string, Mismatch>();
  return ({ inForce, event }) => {
    const key = `${inForce?.revision ?? 0} ${event.object}.${event.event}:${event.eventType ?? ""}`;
    const mismatch =
      known.get(key) ?? nearestMismatch(explainFilters(inForce?.filters ?? [], event));
    known.set(key, mismatch);
    return mismatch;
  };
}

/** Of the filter that matched most parts of the event. */
function nearestMismatch(mismatches: readonly FilterMismatch[]): Mismatch {
  const parts = ["eventType", "event"] as const;
  return parts.find((part) => mismatches.some((one) => one.mismatch === part)) ?? "object";
}
