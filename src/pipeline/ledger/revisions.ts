/**
 * Which subscription gets which event: the rule, in its one place. In: the revisions of a
 * subscription and an event. Out: whether the event is for it, or why not. Guarantee: what the
 * relay did is what the explanation says and the proof expects, however long afterwards, because
 * all of them ask here, and revisions are never changed.
 */
import { operationalKinds } from "../../contracts/events.ts";
import {
  compileFilters,
  type FilterableEvent,
  type EventMatcher,
} from "../../contracts/filters.ts";
import type { SubscriptionMode } from "../../contracts/subscriptions.ts";
import { rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { compileConditions } from "./conditions.ts";

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

/** What is looked at of an event, apart from its payload. */
export type MatchableEvent = FilterableEvent & Readonly<{ occurredAt: Date; key: string }>;

/** The content of an event, parsed when it is first asked for. */
export type EventContent = {
  /** False where it was removed: then nobody can say any more whether conditions held. */
  isKept: boolean;
  /** Undefined for a body that is no JSON: it fulfils all conditions, rather than get lost. */
  payload(): unknown;
};

/** Why an event is not for a subscription, whatever it contains. */
export type Exclusion =
  /** The subscription came later than the event. */
  | { verdict: "created_later"; first: Revision }
  /** It had been deleted when the event happened, or was before the event was fanned out. */
  | { verdict: "deleted"; today: Revision }
  | { verdict: "off"; inForce: Revision }
  /** An event about the subscription itself: it could never tell anything to its receiver. */
  | { verdict: "own"; inForce: Revision }
  | { verdict: "filters"; inForce: Revision };

/** `inForce` was in force when the event happened, `today` is the newest revision. */
export type MatchResult =
  | Exclusion
  | { verdict: "matches"; inForce: Revision; today: Revision }
  | { verdict: "conditions"; inForce: Revision; today: Revision }
  /** The filters let it through; whether the conditions did cannot be said any more. */
  | { verdict: "unjudged"; inForce: Revision; today: Revision };

/** A subscription whose filters let an event through. Its conditions are still to be asked. */
export type MatchCandidate = { inForce: Revision; today: Revision };

type RevisionRow = {
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

const columnsSql = `
  r.revision, r.subscription_id, r.enterprise_id, r.valid_from, r.is_active, r.is_ordered,
  r.is_deleted, r.mode, r.filters, r.conditions, r.reason, r.changed_by`;

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

/** The first half of `judge`, for the hot path: all that can be said without the content. */
export function findCandidate(
  revisions: readonly Revision[],
  event: MatchableEvent,
): MatchCandidate | undefined {
  const inForce = revisionAt(revisions, event.occurredAt);
  const today = revisions.at(-1);
  return inForce === undefined ||
    today === undefined ||
    findExclusion(inForce, today, event) !== undefined
    ? undefined
    : { inForce, today };
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
  const today = revisions.at(-1);
  if (first === undefined || today === undefined) {
    throw new Error("A subscription has at least one revision");
  }
  const inForce = revisionAt(revisions, event.occurredAt);
  if (inForce === undefined) {
    return { verdict: "created_later", first };
  }
  return findExclusion(inForce, today, event) ?? matchConditions({ inForce, today }, content);
}

/** The revision in force at a time. In: the revisions of one subscription, oldest first. */
export function revisionAt(revisions: readonly Revision[], at: Date): Revision | undefined {
  return revisions.findLast((revision) => revision.validFrom <= at);
}

/** From the time of a revision to its commit it takes milliseconds; a stuck server, seconds. */
const changeMs = 5_000;

/**
 * Whether a change was under way when an event happened that is for the subscription with the
 * change and not without it. The relay may then have been there before the commit, so that no
 * delivery is as right as one. In: as for `judge`, which said that the event matches.
 */
export function wasChanging(
  revisions: readonly Revision[],
  event: MatchableEvent,
  content: EventContent,
): boolean {
  const today = revisions.at(-1);
  const from = event.occurredAt.getTime() - changeMs;
  const settled = revisions.findLastIndex((one) => one.validFrom.getTime() <= from);
  const inForce = revisions.findLastIndex((one) => one.validFrom <= event.occurredAt);
  const before = settled === -1 ? [undefined, ...revisions] : revisions.slice(settled);
  return before.slice(0, inForce - settled).some((one) => {
    if (one === undefined || today === undefined) {
      return true; // it was being made
    }
    const excluded = findExclusion(one, today, event);
    return (
      excluded !== undefined ||
      matchConditions({ inForce: one, today }, content).verdict !== "matches"
    );
  });
}

function findExclusion(
  inForce: Revision,
  today: Revision,
  event: MatchableEvent,
): Exclusion | undefined {
  if (inForce.isDeleted) {
    return { verdict: "deleted", today };
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
  return today.isDeleted ? { verdict: "deleted", today } : undefined;
}

function isAboutItself({ object, key }: MatchableEvent, subscriptionId: number): boolean {
  return (
    operationalKinds.some((kind) => kind === object) && key === `subscription:${subscriptionId}`
  );
}

/** The second half of `judge`. */
export function matchConditions(
  { inForce, today }: MatchCandidate,
  content: EventContent,
): Extract<MatchResult, MatchCandidate> {
  if (inForce.passesConditions === null) {
    return { verdict: "matches", inForce, today };
  }
  if (!content.isKept) {
    return { verdict: "unjudged", inForce, today };
  }
  const payload = content.payload();
  const isPassed = payload === undefined || inForce.passesConditions(payload);
  const verdict = isPassed ? "matches" : "conditions";
  return { verdict, inForce, today };
}

/** Every enterprise's revisions above one that the caller knows, in the order of their commits. */
export async function readRevisionsAbove(db: Queryable, known: number): Promise<Revision[]> {
  return (
    await rowsOf<RevisionRow>(
      db,
      `SELECT ${columnsSql} FROM subscription_revisions r WHERE r.revision > ? ORDER BY r.revision`,
      [known],
    )
  ).map(toRevision);
}

/** All revisions of an enterprise's subscriptions, of deleted ones too, by subscription. */
export async function readEnterpriseRevisions(
  db: Queryable,
  enterpriseId: number,
): Promise<Map<number, Revision[]>> {
  const rows = await rowsOf<RevisionRow>(
    db,
    `SELECT ${columnsSql}
     FROM subscriptions s JOIN subscription_revisions r ON r.subscription_id = s.id
     WHERE s.enterprise_id = ? ORDER BY r.subscription_id, r.revision`,
    [enterpriseId],
  );
  return addBySubscription(new Map(), rows.map(toRevision));
}

/** Adds revisions to those of their subscriptions; each list stays in the order of its making. */
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

function toRevision(row: RevisionRow): Revision {
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

/** Made when it is first asked: of all the revisions of the past hardly any is. */
function lazy<Asked>(make: () => (asked: Asked) => boolean): (asked: Asked) => boolean {
  let made: ((asked: Asked) => boolean) | undefined;
  return (asked) => {
    made ??= make();
    return made(asked);
  };
}
