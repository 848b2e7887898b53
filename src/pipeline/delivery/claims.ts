/**
 * In: jobs. Out: the deliveries that this worker alone may send; none for receivers that do not answer.
 * Guarantee: fresh jobs are sent without a claim only within the times of `ledger/reservation.ts`;
 * all others are claimed in the ledger.
 * On crash: a delivery without a claim stays `queued`, and the sweeper requeues it.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import type { DeliverJob } from "../../contracts/jobs.ts";
import type { Clock } from "../../platform/clock.ts";
import { retry } from "../../platform/concurrency/queues.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ClaimedDelivery, ClaimJob } from "../ledger/claim.ts";
import type { NarrowedWindow } from "../ledger/health.ts";
import { slowWindow } from "../ledger/next-health.ts";
import * as reservation from "../ledger/reservation.ts";
import {
  QueueRequests,
  silentAfterMs,
  type ReceiverLoad,
  type OverflowLimits,
  type Run,
} from "./slow-requests.ts";

export type ClaimsDeps = {
  /** Claims in the ledger; undefined if it refuses. */
  claimInLedger: (job: ClaimJob) => Promise<ClaimedDelivery | undefined>;
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
   * Claims until the ledger answers, because the reservation ends soon; even if the subscription
   * was switched off or throttled meanwhile, so that a request that is under way counts. After
   * another refusal, the settlement is refused too. Returns how to stop.
   */
  const startClaimLate = (job: DeliverJob): (() => void) => {
    const stopped = new AbortController();
    const claimed = retry(() => claimInLedger({ ...job, isUnderWay: true }), {
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

export type SlowReceiversDeps = OverflowLimits & {
  /** Resolves to whether the window was larger. */
  narrow: (window: NarrowedWindow) => Promise<boolean>;
  /** Makes the delivery of a job due again. */
  requeue: (job: DeliverJob) => Promise<void>;
  log: Logger;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

const tickMs = 125;

/**
 * Limits the requests of receivers that are slow or silent. A slow request waits outside of the slots
 * (`platform/concurrency/bulkhead.ts`), in the overflow, which has a limited capacity. Without this,
 * receivers that worked well until they all began to hang would fill it with what their concurrency
 * windows allow, and nobody else would get anything. One per process.
 */
export class SlowReceivers {
  readonly #deps: Required<SlowReceiversDeps>;
  readonly #queues = new Map<ObjectKind, QueueRequests>();
  /** By delivery: counted before they start, because many may start in one turn. */
  readonly #reserved = new Map<number, Run>();
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastTickMs = 0;

  constructor({ now = () => performance.now(), ...deps }: SlowReceiversDeps) {
    this.#deps = { ...deps, now };
  }

  /**
   * Runs `next`. If the receiver has its share of requests, makes the delivery due again instead, and
   * if some of these are slow, narrows its window, so that it does not come back at once.
   */
  async handle(
    job: DeliverJob,
    object: ObjectKind,
    next: (job: DeliverJob) => Promise<void>,
  ): Promise<void> {
    const { deliveryId, subscriptionId = job.fresh?.subscriptionId } = job;
    if (subscriptionId === undefined || this.#reserved.has(deliveryId)) {
      return next(job);
    }
    const limit = this.#queueOf(object).limitFor(subscriptionId, this.#deps, this.#deps.now());
    if (limit !== undefined) {
      if (limit.isSlow) {
        await this.#deps.narrow({ subscriptionId, size: limit.size });
      }
      return this.#deps.requeue(job);
    }
    const run = this.#begin(object, subscriptionId);
    this.#reserved.set(deliveryId, run);
    try {
      await next(job);
    } finally {
      this.#reserved.delete(deliveryId);
      this.#end(run); // if it was not sent
    }
  }

  /** Runs a request, and counts it until it ends. */
  async watch<T>(
    delivery: Pick<ClaimedDelivery, "deliveryId" | "object" | "subscriptionId">,
    request: () => Promise<T>,
  ): Promise<T> {
    const { deliveryId, object, subscriptionId } = delivery;
    const run = this.#reserved.get(deliveryId) ?? this.#begin(object, subscriptionId);
    run.sentAtMs = this.#deps.now();
    try {
      return await request();
    } finally {
      run.receiver.answeredAtMs = this.#deps.now();
      run.receiver.isReported = false;
      this.#end(run);
    }
  }

  #queueOf(object: ObjectKind): QueueRequests {
    const queue = this.#queues.get(object) ?? new QueueRequests();
    this.#queues.set(object, queue);
    return queue;
  }

  #begin(object: ObjectKind, subscriptionId: number): Run {
    const nowMs = this.#deps.now();
    this.#running += 1;
    if (this.#timer === undefined) {
      this.#lastTickMs = nowMs;
      this.#timer = setInterval(() => this.#tick(), tickMs);
    }
    return this.#queueOf(object).begin(subscriptionId, nowMs);
  }

  #end(run: Run): void {
    if (run.queue.end(run)) {
      this.#running -= 1;
      if (this.#running === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  #tick(): void {
    const nowMs = this.#deps.now();
    // After a pause of this process, answers may wait to be read.
    const isLate = nowMs - this.#lastTickMs > 2 * tickMs;
    this.#lastTickMs = nowMs;
    if (!isLate) {
      [...this.#queues.values()]
        .flatMap((queue) => queue.silent(nowMs - silentAfterMs))
        .filter((receiver) => !receiver.isReported)
        .forEach((receiver) => this.#report(receiver));
    }
  }

  /** Again at the next tick if it fails. */
  #report(receiver: ReceiverLoad): void {
    const { subscriptionId } = receiver;
    const { narrow, log } = this.#deps;
    receiver.isReported = true;
    narrow({ subscriptionId, size: slowWindow }).then(
      (wasLarger) => {
        if (wasLarger) {
          log.info({ subscription_id: subscriptionId }, "subscription.silent");
        }
      },
      () => {
        receiver.isReported = false;
      },
    );
  }
}
