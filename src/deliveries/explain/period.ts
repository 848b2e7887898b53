/**
 * Explains why one webhook received nothing, or not everything, in a period. Read only: one
 * snapshot, with bounded counts and a statement time-out.
 */
import { webhookNotFound } from "../../contracts/problems.ts";
import { createExpensiveQueryLimiter } from "../../http/limits.ts";
import type { Revision } from "../../pipeline/ledger/match-event.ts";
import {
  readBacklogCounts,
  type BacklogCounts,
} from "../../pipeline/ledger/queries/backlog-counts.ts";
import { readKeptSince } from "../../pipeline/ledger/queries/event-deliveries.ts";
import {
  findEnterpriseOf,
  findSubscriptionStatus,
  type SubscriptionStatus,
} from "../../pipeline/ledger/queries/subscription-period.ts";
import { readRevisions } from "../../pipeline/ledger/revisions.ts";
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import { inSnapshot } from "../../platform/db/transaction.ts";
import { resolvePeriod, type RequestedPeriod } from "../../http/values.ts";
import { readAttemptTotals, type AttemptTotals } from "../series.ts";
import { countEvents, type CountLimits, type PeriodCounts } from "./count-events.ts";
import { offPeriod } from "./findings.ts";
import { findPeriodVerdict, type PeriodFinding } from "./period-verdict.ts";
import type { ExplainDeps } from "./service.ts";
import { hourMs } from "../../platform/clock.ts";

/** A time in which the webhook was disabled; null where it is open. */
export type OffPeriod = {
  since: Date;
  until: Date | null;
  reason: string | null;
  changedBy: number | null;
};

export type PeriodExplanation = {
  enterpriseId: number;
  subscription: SubscriptionStatus;
  since: Date;
  until: Date;
  /** Since when deliveries are kept, and whether that shortened the requested period. */
  keptSince: Date;
  isClamped: boolean;
  asOf: Date;
  finding: PeriodFinding;
  counts: PeriodCounts;
  /** All requests to the receiver in the period, whenever their events happened. */
  attempts: AttemptTotals;
  backlog: BacklogCounts;
  offPeriods: readonly OffPeriod[];
  /** Logins of the users in `offPeriods` and in the examples, by id. */
  logins: ReadonlyMap<number, string>;
};

export type ExplainPeriod = {
  /** Default: the last hour. Throws `not_found` for a webhook that the enterprise never had. */
  ofEnterprise(
    enterpriseId: number,
    webhookId: number,
    period: RequestedPeriod,
  ): Promise<PeriodExplanation>;
  /** For operators, who are of another enterprise: `callersEnterpriseId` only limits the load. */
  ofPlatform(
    callersEnterpriseId: number,
    webhookId: number,
    period: RequestedPeriod,
  ): Promise<PeriodExplanation>;
};

export type ExplainPeriodDeps = ExplainDeps & { limits?: CountLimits };

export function createExplainPeriod(deps: ExplainPeriodDeps): ExplainPeriod {
  const limiter = createExpensiveQueryLimiter();
  const explain = createPeriodExplanation(deps);
  return {
    ofEnterprise: (enterpriseId, webhookId, period) =>
      limiter(enterpriseId, () => explain(enterpriseId, webhookId, period)),
    ofPlatform: (callersEnterpriseId, webhookId, period) =>
      limiter(callersEnterpriseId, async () => {
        const enterpriseId = await findEnterpriseOf(deps.db, webhookId);
        if (enterpriseId === undefined) {
          throw webhookNotFound(webhookId);
        }
        return explain(enterpriseId, webhookId, period);
      }),
  };
}

function createPeriodExplanation(deps: ExplainPeriodDeps) {
  return async (
    enterpriseId: number,
    webhookId: number,
    requested: RequestedPeriod,
  ): Promise<PeriodExplanation> => {
    const asOf = deps.clock.now();
    const asked = resolvePeriod(requested, { now: asOf, defaultMs: hourMs });
    return inSnapshot(deps.db, async (trx) => {
      await limitReads(trx);
      const subscription = await findSubscriptionStatus(trx, enterpriseId, webhookId);
      const revisions = await readRevisions(trx, enterpriseId, webhookId);
      if (subscription === undefined || revisions.length === 0) {
        throw webhookNotFound(webhookId);
      }
      const keptSince = await readKeptSince(trx, enterpriseId, {
        now: asOf,
        defaultDays: deps.retentionDays,
      });
      const period = {
        since: laterOf(asked.since, keptSince),
        until: laterOf(asked.until, keptSince),
      };
      const subject = { enterpriseId, subscription, revisions, keptSince, now: asOf };
      const counts = await countEvents(trx, subject, period, deps.limits);
      const isCurrent = asked.until >= asOf;
      const offPeriods = listOffPeriods(revisions, period.since, isCurrent ? null : period.until);
      const ended = endOf(revisions);
      const changedAt = changeOf(revisions);
      return {
        ...{ enterpriseId, subscription, ...period, keptSince, asOf, counts, offPeriods },
        isClamped: keptSince > asked.since,
        finding: findPeriodVerdict({
          subscription,
          counts,
          ended,
          changedAt,
          since: period.since,
          isCurrent,
        }),
        attempts: await readAttemptTotals(
          trx,
          { enterpriseId, subscriptionId: webhookId },
          { ...period, now: asOf },
        ),
        backlog: await readBacklogCounts(trx, webhookId, asOf),
        logins: await readLogins(deps, trx, { enterpriseId, counts, offPeriods }),
      };
    });
  };
}

const statementTimeoutMs = 5_000;

async function limitReads(trx: Trx): Promise<void> {
  await trx.raw(`SET LOCAL statement_timeout = ${statementTimeoutMs}`);
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** More changes than these are not readable in one answer. */
const mostOffPeriods = 20;

/**
 * The newest times of the period in which the webhook was disabled, oldest first. One pass: a webhook
 * may have tens of thousands of revisions. `until` is null
 * for a period that has not ended: the clock of the database may be ahead of ours.
 */
function listOffPeriods(
  revisions: readonly Revision[],
  since: Date,
  until: Date | null,
): OffPeriod[] {
  const off: { from: Revision; to: Revision | undefined }[] = [];
  let isOff = false;
  for (const one of revisions) {
    const last = off.at(-1);
    if (one.isActive && isOff && last !== undefined) {
      last.to = one;
    }
    if (!one.isActive && !isOff) {
      off.push({ from: one, to: undefined });
    }
    isOff = !one.isActive;
  }
  const overlaps = off.filter(({ from, to }) => {
    const hasBegun = until === null || from.validFrom < until;
    return !from.isDeleted && hasBegun && (to === undefined || to.validFrom > since);
  });
  return overlaps.slice(-mostOffPeriods).map(({ from, to }) => ({
    ...{ since: from.validFrom, until: to?.validFrom ?? null },
    ...{ reason: from.reason, changedBy: from.changedBy },
  }));
}

/** The revision that deleted or disabled the webhook, if it is deleted or disabled now. */
function endOf(revisions: readonly Revision[]): Revision | undefined {
  const newest = revisions.at(-1);
  if (newest === undefined || newest.isDeleted || newest.isActive) {
    return newest?.isDeleted === true ? newest : undefined;
  }
  return offPeriod(revisions, newest).from;
}

/** When the present filters and conditions replaced others. */
function changeOf(revisions: readonly Revision[]): Date | undefined {
  const newest = settingsOf(revisions.at(-1));
  const other = revisions.findLastIndex((one) => settingsOf(one) !== newest);
  return other === -1 ? undefined : revisions[other + 1]?.validFrom;
}

function settingsOf(revision: Revision | undefined): string {
  return JSON.stringify([revision?.filters, revision?.conditions]);
}

async function readLogins(
  { findLogins }: ExplainDeps,
  db: Queryable,
  {
    enterpriseId,
    counts,
    offPeriods,
  }: Pick<PeriodExplanation, "enterpriseId" | "counts" | "offPeriods">,
): Promise<ReadonlyMap<number, string>> {
  const causes = [...counts.verdicts.values()].map(({ finding }) => finding.cause?.changedBy);
  const users = [...causes, ...offPeriods.map(({ changedBy }) => changedBy)];
  const ids = new Set(users.filter((id) => id !== undefined && id !== null));
  return ids.size === 0 ? new Map() : findLogins(db, enterpriseId, [...ids]);
}
