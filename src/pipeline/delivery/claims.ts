/**
 * In: jobs. Out: the deliveries that this worker alone may send.
 * Guarantee: fresh jobs are sent without a claim only within the times of `ledger/reservation.ts`;
 * all others are claimed in the ledger.
 * On crash: a delivery without a claim stays `queued`, and the sweeper requeues it.
 */
import type { DeliverJob } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import { retry } from "../../platform/concurrency/queues.ts";
import type { ClaimedDelivery } from "../ledger/claim.ts";
import * as reservation from "../ledger/reservation.ts";

export type ClaimsDeps = {
  /** Claims in the ledger; undefined if it refuses. */
  claimInLedger: (job: DeliverJob) => Promise<ClaimedDelivery | undefined>;
  /** Makes the delivery of a refused fresh job due again. */
  requeue: (job: DeliverJob) => Promise<void>;
  clock: Clock;
  /** How long an attempt may take without a claim; for tests. */
  claimAfterMs?: number;
};

export type Claims = {
  claim(job: DeliverJob): Promise<ClaimedDelivery | undefined>;
  /**
   * Attempts the delivery of this job. If its result is not stored soon and there is no claim,
   * stores one during the attempt.
   */
  claimIfSlow(job: DeliverJob, attempt: () => Promise<void>): Promise<void>;
  /**
   * The receiver failed or asked for a pause: for a moment the ledger is asked about every delivery
   * of the subscription, until the relay knows too.
   */
  distrust(subscriptionId: number): void;
};

const maxDistrusted = 10_000;

const minPauseMs = 50;

const maxPauseMs = 500;

const { freshForMs } = reservation;

export function createClaims(deps: ClaimsDeps): Claims {
  const { claimInLedger, requeue, clock, claimAfterMs = reservation.claimAfterMs } = deps;
  const distrustedUntil = new Map<number, number>();
  const unclaimed = new WeakSet<DeliverJob>();

  const isDistrusted = (subscriptionId: number): boolean => {
    const until = distrustedUntil.get(subscriptionId);
    if (until !== undefined && until <= clock.now().getTime()) {
      distrustedUntil.delete(subscriptionId);
      return false;
    }
    return until !== undefined;
  };

  const needsNoClaim = ({ fresh }: DeliverJob): boolean =>
    fresh !== undefined &&
    Math.abs(clock.now().getTime() - fresh.queuedAt) <= freshForMs &&
    !isDistrusted(fresh.subscriptionId);

  /**
   * Claims until the ledger answers, because the reservation ends soon. A refusal changes nothing:
   * the settlement is refused then. Returns how to stop.
   */
  const startClaimLate = (job: DeliverJob): (() => void) => {
    const stopped = new AbortController();
    const claimed = retry(() => claimInLedger(job), {
      ...{ minPauseMs, maxPauseMs, signal: stopped.signal },
      isFinal: () => false,
    });
    claimed.catch(() => undefined); // stopped
    return () => stopped.abort();
  };

  return {
    claim: async (job) => {
      if (needsNoClaim(job)) {
        unclaimed.add(job);
        return claimedByJob(job);
      }
      const claimed = await claimInLedger(job);
      if (claimed === undefined && job.fresh !== undefined) {
        // Nobody else may move it until its reservation ends.
        await requeue(job);
      }
      return claimed;
    },
    claimIfSlow: async (job, attempt) => {
      if (!unclaimed.has(job)) {
        return attempt();
      }
      let stop = (): void => undefined;
      const timer = setTimeout(() => {
        stop = startClaimLate(job);
      }, claimAfterMs);
      try {
        await attempt();
      } finally {
        clearTimeout(timer);
        stop();
      }
    },
    distrust: (subscriptionId) => {
      if (distrustedUntil.size >= maxDistrusted) {
        distrustedUntil.clear();
      }
      distrustedUntil.set(subscriptionId, clock.now().getTime() + 2 * freshForMs);
    },
  };
}

/** A delivery that may be sent without a claim, from its fresh job. */
export function claimedByJob({
  deliveryId,
  generation,
  fresh,
}: DeliverJob): ClaimedDelivery | undefined {
  return fresh === undefined
    ? undefined
    : {
        deliveryId,
        generation,
        subscriptionId: fresh.subscriptionId,
        revision: fresh.revision,
        sequence: fresh.sequence,
        attempt: 1,
        object: fresh.object,
        eventId: fresh.eventId,
        body: fresh.body,
        occurredAt: new Date(fresh.occurredAt),
        isReplay: false,
      };
}
