/**
 * In: all subscriptions, and the kinds of events that wake the relay. Out: the subscriptions of an
 * event; for recent kinds whose rules are simple, batches that are fanned out in one round trip.
 * Guarantee: what a rule cannot decide is left to `fanOut`. No rule is needed for correctness.
 * On crash: the next start reads the subscriptions again.
 */
import { fromWakeWord, isOperational, type EventKind } from "../../contracts/events.ts";
import type { Db, Queryable } from "../../platform/db/pool.ts";
import { preparedRowsOf } from "../../platform/db/prepared.ts";
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { inOneBatch } from "../../platform/db/batch.ts";
import type { EnqueueLimits } from "../ledger/enqueue-due.ts";
import { fanOutByRules, type FanOutRule, type FannedOut } from "../ledger/fan-out-by-rules.ts";
import {
  findCandidate,
  revisionColumns,
  toRevision,
  type MatchCandidate,
  type Revision,
  type RevisionRow,
} from "../ledger/match-event.ts";
import type { OutboxEvent } from "../ledger/new-deliveries.ts";
import {
  readNewestRevisions,
  readRevisionsWithin,
  type RevisionRange,
} from "../ledger/revisions.ts";

/**
 * A cache of all subscriptions with their newest revisions. Revision numbers follow the commit order,
 * so `refresh` reads only new ones. After an outage, or restored by hand, an event may be arbitrarily
 * old: the revisions that it needs are then read again.
 */
export type SubscriptionSet = {
  /** Catches up with the database; a single indexed query without changes. */
  refresh(db: Queryable): Promise<void>;
  /**
   * For each event, the subscriptions that were active with matching filters when it occurred. Deleted
   * ones get nothing; one that was switched off since still gets its delivery, which is kept until it
   * is switched on again. Does not evaluate conditions. Reads nothing unless an event is older than
   * what is cached.
   */
  match(db: Queryable, events: readonly OutboxEvent[]): Promise<MatchCandidate[][]>;
  /** The newest revision that it knows; -1 before the first `refresh`. */
  newestRevision(): number;
  /**
   * The cached revisions of each subscription of an enterprise, oldest first, at least the newest one.
   * None of those that were deleted.
   */
  revisionsOf(enterpriseId: number): Iterable<readonly Revision[]>;
};

/** Enough for the events of the last changes; with all of them, constant changes would fill the memory. */
const maxCachedRevisions = 8;

export function createSubscriptionSet(): SubscriptionSet {
  const enterprises = new Map<number, Map<number, Revision[]>>();
  let known = -1;
  const take = (revision: Revision): void => {
    const { enterpriseId, subscriptionId, isDeleted } = revision;
    const enterprise = enterprises.get(enterpriseId) ?? new Map<number, Revision[]>();
    enterprises.set(enterpriseId, enterprise);
    if (isDeleted) {
      enterprise.delete(subscriptionId); // it gets nothing, whenever the event occurred
    } else {
      const newest = [...(enterprise.get(subscriptionId) ?? []), revision];
      enterprise.set(subscriptionId, newest.slice(-maxCachedRevisions));
    }
  };
  const revisionsOf = (enterpriseId: number): Iterable<readonly Revision[]> =>
    enterprises.get(enterpriseId)?.values() ?? [];
  return {
    refresh: async (db) => {
      const found = await (known < 0
        ? readNewestRevisions(db, maxCachedRevisions)
        : readRevisionsAbove(db, known));
      const revisions = found.filter(({ revision }) => revision > known); // not those of another call
      revisions.forEach(take);
      known = revisions.at(-1)?.revision ?? known;
    },
    match: async (db, events) => {
      const uncached = listUncached(events, revisionsOf);
      if (uncached === undefined) {
        return matchAll(events, revisionsOf);
      }
      // As they are now: another call may evict some during the wait.
      const cached = new Map(events.map(({ enterpriseId: id }) => [id, [...revisionsOf(id)]]));
      const older = await readRevisionsWithin(db, uncached);
      const all = new Map(
        [...cached].map(([id, each]) => [id, each.map((some) => withOlder(some, older))]),
      );
      return matchAll(events, (id) => all.get(id) ?? []);
    },
    newestRevision: () => known,
    revisionsOf,
  };
}

function matchAll(
  events: readonly OutboxEvent[],
  revisionsOf: SubscriptionSet["revisionsOf"],
): MatchCandidate[][] {
  return events.map((event) => {
    const found: MatchCandidate[] = [];
    for (const revisions of revisionsOf(event.enterpriseId)) {
      const candidate = findCandidate(revisions, event);
      if (candidate !== undefined) {
        found.push(candidate);
      }
    }
    return found;
  });
}

/** The events that may need revisions which are not cached, and their subscriptions; mostly none. */
function listUncached(
  events: readonly OutboxEvent[],
  revisionsOf: SubscriptionSet["revisionsOf"],
): RevisionRange | undefined {
  const subscriptions = new Map<number, Revision>();
  const times: number[] = [];
  for (const { enterpriseId, occurredAt } of events) {
    for (const cached of revisionsOf(enterpriseId)) {
      const [first] = cached;
      if (
        first !== undefined &&
        cached.length === maxCachedRevisions &&
        occurredAt < first.validFrom
      ) {
        subscriptions.set(first.subscriptionId, first);
        times.push(occurredAt.getTime());
      }
    }
  }
  return times.length === 0
    ? undefined
    : {
        subscriptions: [...subscriptions.values()],
        first: new Date(Math.min(...times)),
        last: new Date(Math.max(...times)),
      };
}

function withOlder(
  cached: readonly Revision[],
  older: ReadonlyMap<number, readonly Revision[]>,
): readonly Revision[] {
  const known = new Set(cached.map(({ revision }) => revision));
  const found = older.get(cached[0]?.subscriptionId ?? 0) ?? [];
  return [...found.filter(({ revision }) => !known.has(revision)), ...cached];
}

/** All revisions above a known one, in commit order. */
async function readRevisionsAbove(db: Queryable, known: number): Promise<Revision[]> {
  return (
    await preparedRowsOf<RevisionRow>(
      db,
      `SELECT ${revisionColumns} FROM subscription_revisions r WHERE r.revision > ? ORDER BY r.revision`,
      [known],
    )
  ).map(toRevision);
}

/** More kinds, or more subscriptions per kind, would cost more to send than the trips they save. */
const maxKinds = 16;

const maxSubscriptionsPerKind = 16;

/**
 * Older kinds are not tried: the statement locks the webhooks of all kinds that it is given, and must
 * not wait for one that gets nothing now.
 */
const recentMs = 1_000;

/** After a batch that the rules did not cover, so many are left to `fanOut`, then twice as many. */
const firstPause = 1;

const longestPause = 64;

export type RecentKinds = {
  /** Notes the kinds of events that have been committed: words of `toWakeWord`. */
  add(words: readonly string[]): void;
  /** Fans out a batch. Undefined if it did nothing, and `fanOut` must do it. */
  fanOut(limits: EnqueueLimits): Promise<FannedOut | undefined>;
};

export type RecentKindsDeps = {
  db: Db;
  log: Logger;
  subscriptions: SubscriptionSet;
  /** Milliseconds since any moment. */
  nowMs: () => number;
};

/** A kind, when it was heard last, and its rule as of a revision. */
type HeardKind = {
  kind: EventKind;
  atMs: number;
  revision: number;
  rule: FanOutRule | undefined;
};

export function createRecentKinds(deps: RecentKindsDeps): RecentKinds {
  const { db, log, subscriptions, nowMs } = deps;
  /** By word, the one that was heard least recently first. */
  const heard = new Map<string, HeardKind>();
  let pause = firstPause;
  let skipped = 0;

  const noteResult = (isFannedOut: boolean): void => {
    skipped = isFannedOut ? 0 : pause;
    pause = isFannedOut ? firstPause : Math.min(pause * 2, longestPause);
  };

  /** Made again after a change of a subscription. */
  const ruleOf = (one: HeardKind): FanOutRule | undefined => {
    const revision = subscriptions.newestRevision();
    if (one.revision !== revision) {
      one.revision = revision;
      one.rule = makeRule(subscriptions, one.kind);
    }
    return one.rule;
  };

  const listRules = (): FanOutRule[] => {
    const oldestMs = nowMs() - recentMs;
    const recent = [...heard.values()].filter(({ atMs }) => atMs >= oldestMs);
    return recent.flatMap((one) => ruleOf(one) ?? []);
  };

  return {
    add: (words) => {
      for (const word of words) {
        const one = heard.get(word) ?? firstHeard(word);
        heard.delete(word); // those that were heard last are at the end
        if (one !== undefined) {
          one.atMs = nowMs();
          heard.set(word, one);
        }
      }
      const old = [...heard.keys()].slice(0, Math.max(0, heard.size - maxKinds));
      old.forEach((word) => heard.delete(word));
    },
    fanOut: async (limits) => {
      const rules = limits.closed.length > 0 ? [] : listRules();
      if (skipped > 0 || rules.length === 0) {
        skipped = Math.max(0, skipped - 1);
        return undefined;
      }
      const knownRevision = subscriptions.newestRevision();
      try {
        const fannedOut = await inOneBatch(db, (trx) =>
          fanOutByRules(trx, { rules, knownRevision }, limits),
        );
        noteResult(fannedOut !== undefined);
        return fannedOut;
      } catch (thrown) {
        // `fanOut` tells faults of the database and of events apart.
        log.debug({ reason: toError(thrown).message }, "relay.rules_failed");
        noteResult(false);
        return undefined;
      }
    },
  };
}

function firstHeard(word: string): HeardKind | undefined {
  const kind = fromWakeWord(word);
  return kind && { kind, revision: -1, rule: undefined, atMs: 0 };
}

/** Later than any revision: the newest one is in force. */
const endOfTime = new Date(8_640_000_000_000_000);

/** No rule if its matches depend on more than the kind, or need more than a job. */
function makeRule(subscriptions: SubscriptionSet, kind: EventKind): FanOutRule | undefined {
  if (isOperational(kind.object) || subscriptions.newestRevision() < 0) {
    return undefined;
  }
  const all = [...subscriptions.revisionsOf(kind.enterpriseId)];
  const since = new Date(
    Math.max(0, ...all.map((revisions) => revisions.at(-1)?.validFrom.getTime() ?? 0)),
  );
  const event = { ...kind, occurredAt: endOfTime, key: "" };
  const newest = all.flatMap((revisions) => findCandidate(revisions, event)?.newest ?? []);
  const isSimple = newest.every(
    (one) => one.isActive && one.mode === "push" && one.passesConditions === null,
  );
  return isSimple && newest.length <= maxSubscriptionsPerKind
    ? { ...kind, since, subscriptions: newest }
    : undefined;
}
