/**
 * The rule that decides which subscription gets which event.
 * In: the revisions of a subscription, and an event. Out: whether it matches, or why not.
 * Guarantee: relay, explain and reconciliation agree at any later time, because they share this
 * rule and revisions never change. Pure.
 */
import { operationalKinds } from "../../contracts/events.ts";
import {
  compileFilters,
  type FilterableEvent,
  type EventMatcher,
} from "../../contracts/filters.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import { compileConditions } from "./conditions.ts";

/** The settings of a subscription from `validFrom` until its next revision. */
export type Revision = {
  revision: number;
  subscriptionId: number;
  enterpriseId: number;
  validFrom: Date;
  isActive: boolean;
  isOrdered: boolean;
  isDeleted: boolean;
  mode: SubscriptionMode;
  filters: readonly string[];
  /** A query on the payload as JSON text; null matches every payload. */
  conditions: string | null;
  reason: string | null;
  changedBy: number | null;
  passesFilters: EventMatcher;
  /** Null without conditions. */
  passesConditions: ((payload: unknown) => boolean) | null;
};

export type RevisionRow = {
  revision: number;
  subscription_id: number;
  enterprise_id: number;
  valid_from: Date;
  is_active: boolean;
  is_ordered: boolean;
  is_deleted: boolean;
  mode: SubscriptionMode;
  filters: string[];
  conditions: string | null;
  reason: string | null;
  changed_by: number | null;
};

/** For statements that read `subscription_revisions r` as `RevisionRow`. */
export const revisionColumns = `
  r.revision, r.subscription_id, r.enterprise_id, r.valid_from, r.is_active, r.is_ordered,
  r.is_deleted, r.mode, r.filters, r.conditions, r.reason, r.changed_by`;

/** The fields of an event that filters use. */
export type MatchableEvent = FilterableEvent & Readonly<{ occurredAt: Date; key: string }>;

/** The content of an event, parsed lazily. */
export type EventContent = {
  /** False if the content was removed: whether conditions matched is then unknown. */
  isKept: boolean;
  /** Undefined for a body that is not JSON: it matches all conditions, so that it is not lost. */
  payload(): unknown;
};

/** Why an event does not match a subscription, whatever its content. */
export type Exclusion =
  /** The subscription was created after the event. */
  | { verdict: "created_later"; first: Revision }
  /** It was deleted before the event, or before the event was fanned out. */
  | { verdict: "deleted"; newest: Revision }
  | { verdict: "off"; inForce: Revision }
  /** An event about the subscription itself: sending it would cause another one. */
  | { verdict: "own"; inForce: Revision }
  | { verdict: "filters"; inForce: Revision };

/** `inForce` was in force when the event happened, `newest` is the newest revision. */
export type MatchResult =
  | Exclusion
  | { verdict: "matches"; inForce: Revision; newest: Revision }
  | { verdict: "conditions"; inForce: Revision; newest: Revision }
  /**
   * The filters match; whether the conditions matched is unknown, because the content was removed.
   */
  | { verdict: "undetermined"; inForce: Revision; newest: Revision };

/** A subscription whose filters match. Its conditions are not evaluated yet. */
export type MatchCandidate = { inForce: Revision; newest: Revision };

/** Reads the body of an event as stored: empty or null where its content was removed. */
export function lazyContent(body: string | null): EventContent {
  let parsed: { payload: unknown } | undefined;
  return {
    isKept: body !== null && body !== "",
    payload: () => {
      parsed ??= { payload: parseBody(body) };
      return parsed.payload;
    },
  };
}

function parseBody(body: string | null): unknown {
  try {
    return JSON.parse(body ?? "");
  } catch {
    return undefined;
  }
}

/** The first half of `matchEvent`, which needs no content. For the hot path. */
export function findCandidate(
  revisions: readonly Revision[],
  event: MatchableEvent,
): MatchCandidate | undefined {
  const inForce = revisionAt(revisions, event.occurredAt);
  const newest = revisions.at(-1);
  return inForce === undefined ||
    newest === undefined ||
    findExclusion(inForce, newest, event) !== undefined
    ? undefined
    : { inForce, newest };
}

/**
 * Matches an event by the revision in force when it occurred, unless the subscription is deleted
 * now. The revisions are sorted, oldest first, at least one.
 */
export function matchEvent(
  revisions: readonly Revision[],
  event: MatchableEvent,
  content: EventContent,
): MatchResult {
  const [first] = revisions;
  const newest = revisions.at(-1);
  if (first === undefined || newest === undefined) {
    throw new Error("A subscription has at least one revision");
  }
  const inForce = revisionAt(revisions, event.occurredAt);
  if (inForce === undefined) {
    return { verdict: "created_later", first };
  }
  return findExclusion(inForce, newest, event) ?? matchConditions({ inForce, newest }, content);
}

/** The revision in force at a time. The revisions are sorted, oldest first. */
export function revisionAt(revisions: readonly Revision[], at: Date): Revision | undefined {
  return revisions.findLast((revision) => revision.validFrom <= at);
}

/** Content is stored for a day at least (`payload_days`), so an earlier end of it was a redaction. */
const leastContentMs = 86_400_000;

/**
 * Whether an event was redacted so early that it may never have been fanned out: a redaction also
 * takes it out of the outbox. Content that expired does not: its event was fanned out.
 */
export function wasRedactedEarly<
  Event extends Readonly<{ occurredAt: Date; expungedAt: Date | null }>,
>(event: Event): event is Event & Readonly<{ expungedAt: Date }> {
  return (
    event.expungedAt !== null &&
    event.expungedAt.getTime() - event.occurredAt.getTime() < leastContentMs
  );
}

/** The time between a revision and its commit is milliseconds, with a stuck server seconds. */
export const changeMs = 5_000;

/**
 * Whether an uncommitted change decided about a match: the event matches with the change and not
 * without it. The relay may have read before the commit, so having no delivery is as correct as
 * having one. Input as for `matchEvent`, with the verdict `matches`.
 */
export function wasChanging(
  revisions: readonly Revision[],
  event: MatchableEvent,
  content: EventContent,
): boolean {
  const newest = revisions.at(-1);
  const from = event.occurredAt.getTime() - changeMs;
  const settled = revisions.findLastIndex((one) => one.validFrom.getTime() <= from);
  const inForce = revisions.findLastIndex((one) => one.validFrom <= event.occurredAt);
  const before = settled === -1 ? [undefined, ...revisions] : revisions.slice(settled);
  return before.slice(0, inForce - settled).some((one) => {
    if (one === undefined || newest === undefined) {
      return true; // it was being created
    }
    const excluded = findExclusion(one, newest, event);
    return (
      excluded !== undefined ||
      matchConditions({ inForce: one, newest }, content).verdict !== "matches"
    );
  });
}

function findExclusion(
  inForce: Revision,
  newest: Revision,
  event: MatchableEvent,
): Exclusion | undefined {
  if (inForce.isDeleted) {
    return { verdict: "deleted", newest };
  }
  if (!inForce.isActive) {
    return { verdict: "off", inForce };
  }
  if (!inForce.passesFilters(event)) {
    return { verdict: "filters", inForce };
  }
  if (isAboutItself(event, inForce.subscriptionId)) {
    return { verdict: "own", inForce };
  }
  return newest.isDeleted ? { verdict: "deleted", newest } : undefined;
}

function isAboutItself({ object, key }: MatchableEvent, subscriptionId: number): boolean {
  return (
    operationalKinds.some((kind) => kind === object) && key === `subscription:${subscriptionId}`
  );
}

/** The second half of `matchEvent`. */
export function matchConditions(
  { inForce, newest }: MatchCandidate,
  content: EventContent,
): Extract<MatchResult, MatchCandidate> {
  if (inForce.passesConditions === null) {
    return { verdict: "matches", inForce, newest };
  }
  if (!content.isKept) {
    return { verdict: "undetermined", inForce, newest };
  }
  const payload = content.payload();
  const isPassed = payload === undefined || inForce.passesConditions(payload);
  const verdict = isPassed ? "matches" : "conditions";
  return { verdict, inForce, newest };
}

/** Groups revisions by subscription, in order. */
export function addBySubscription(
  bySubscription: Map<number, Revision[]>,
  revisions: readonly Revision[],
): Map<number, Revision[]> {
  for (const revision of revisions) {
    const known = bySubscription.get(revision.subscriptionId) ?? [];
    known.push(revision);
    bySubscription.set(revision.subscriptionId, known);
  }
  return bySubscription;
}

export function toRevision(row: RevisionRow): Revision {
  return {
    revision: row.revision,
    subscriptionId: row.subscription_id,
    enterpriseId: row.enterprise_id,
    validFrom: row.valid_from,
    isActive: row.is_active,
    isOrdered: row.is_ordered,
    isDeleted: row.is_deleted,
    mode: row.mode,
    filters: row.filters,
    conditions: row.conditions,
    reason: row.reason,
    changedBy: row.changed_by,
    passesFilters: lazy(() => compileFilters(row.filters)),
    passesConditions: row.conditions === null ? null : lazyConditions(row.conditions),
  };
}

function lazyConditions(conditions: string): NonNullable<Revision["passesConditions"]> {
  return lazy(() => compileConditions(conditions));
}

/** Memoizes lazily: hardly any old revision is ever evaluated. */
function lazy<Asked>(make: () => (asked: Asked) => boolean): (asked: Asked) => boolean {
  let made: ((asked: Asked) => boolean) | undefined;
  return (asked) => {
    made ??= make();
    return made(asked);
  };
}
