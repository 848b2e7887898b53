/**
 * Which subscription gets which event: the one rule. In: the revisions of a subscription and an
 * event. Out: whether the event is for it, or why not. Guarantee: the relay, the explanation and the
 * reconciliation agree, however long afterwards, because all of them ask here and revisions never
 * change. Pure.
 */
import { operationalKinds } from "../../contracts/events.ts";
import type { FilterableEvent, EventMatcher } from "../../contracts/filters.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";

/** What a subscription asked for from `validFrom` until its next revision. */
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
  /** JSON text of a query on the payload; null lets every payload through. */
  conditions: string | null;
  reason: string | null;
  changedBy: number | null;
  passesFilters: EventMatcher;
  /** Null where there are no conditions. */
  passesConditions: ((payload: unknown) => boolean) | null;
};

/** What filters match of an event, apart from its payload. */
export type MatchableEvent = FilterableEvent & Readonly<{ occurredAt: Date; key: string }>;

/** The content of an event, parsed lazily. */
export type EventContent = {
  /** False where it was removed: then it is unknown whether conditions held. */
  isKept: boolean;
  /** Undefined for a body that is not JSON: it fulfils all conditions, so that it is not lost. */
  payload(): unknown;
};

/** Why an event is not for a subscription, whatever it contains. */
export type Exclusion =
  /** The subscription came later than the event. */
  | { verdict: "created_later"; first: Revision }
  /** It had been deleted when the event happened, or was before the event was fanned out. */
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
  /** The filters let it through; whether the conditions held is no longer known. */
  | { verdict: "unjudged"; inForce: Revision; newest: Revision };

/** A subscription whose filters let an event through. Its conditions are not evaluated yet. */
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

/** The first half of `matchEvent`, for the hot path: what needs no content. */
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
 * Whether an event is for a subscription: by the revision in force when the event happened, and
 * only where the subscription is not deleted by now. In: its revisions, oldest first, at least one.
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

/** The revision in force at a time. In: the revisions of one subscription, oldest first. */
export function revisionAt(revisions: readonly Revision[], at: Date): Revision | undefined {
  return revisions.findLast((revision) => revision.validFrom <= at);
}

/** From the time of a revision to its commit it takes milliseconds; a stuck server, seconds. */
const changeMs = 5_000;

/**
 * Whether a change was under way when an event happened that is for the subscription with the
 * change and not without it. The relay may then have read before the commit, so that no delivery is
 * as right as one. In: as for `matchEvent`, with the verdict `matches`.
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
      return true; // it was being made
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
    return { verdict: "unjudged", inForce, newest };
  }
  const payload = content.payload();
  const isPassed = payload === undefined || inForce.passesConditions(payload);
  const verdict = isPassed ? "matches" : "conditions";
  return { verdict, inForce, newest };
}
