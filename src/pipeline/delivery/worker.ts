/**
 * In: jobs of all object kinds, and fresh deliveries of a relay in the same process. Out: claims and
 * settlements, batched into few statements. Backlogs get fewer slots while fresh deliveries start late.
 * Guarantee: a job completes only after its result is committed.
 * On crash: claimed deliveries are due again when their leases end; the queue gives the other jobs
 * to another worker. The sweeper requeues deliveries that were started without a job.
 */
import type { DeliverJob, FreshDelivery } from "../../contracts/jobs.ts";
import { createBatcher, withTimeout } from "../../platform/concurrency/async.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import { toError } from "../../platform/errors.ts";
import type { FaultPoint } from "../../contracts/fault-points.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { QueueBackend } from "../../platform/queue/job-queue.ts";
import {
  startJobWorkers,
  stopWorkers,
  type DeliveryWorkers,
  type OverflowOptions,
} from "../../platform/queue/job-workers.ts";
import { claimDeliveries, type ClaimedDelivery, type ClaimJob } from "../ledger/claim.ts";
import type { Dispatcher } from "../ledger/dispatcher.ts";
import type { EnqueuedDelivery } from "../ledger/enqueue-due.ts";
import { narrowWindows, type NarrowedWindow } from "../ledger/health.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import { requeueUnsent } from "../ledger/requeue.ts";
import { isActive, switchOff } from "../ledger/switch-off.ts";
import type { EndpointConfigs } from "../ledger/endpoints.ts";
import { createBackpressure } from "./backpressure.ts";
import { createHandler, reportAttempt } from "./handle.ts";
import { createClaims, SlowReceivers } from "./claims.ts";
import type { Send, SendRequest } from "./send-result.ts";
import { createSettlements, maxBatchSize } from "./settlements.ts";

export type DeliveryWorkerDeps = {
  db: Db;
  writeNotices: WriteNotices;
  backend: QueueBackend;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  endpoints: EndpointConfigs;
  send: Send;
  clock: Clock;
  random: () => number;
  faultPoint: FaultPoint;
  log: Logger;
  metrics: Metrics;
  concurrency: number;
  overflow: OverflowOptions;
  leaseMs: number;
};

export type DeliveryWorker = {
  /**
   * For a relay in the same process: starts fresh deliveries in free slots, without jobs, and adds
   * jobs for the others. Never rejects.
   */
  dispatch(enqueued: readonly EnqueuedDelivery[]): Promise<void>;
  /** The same relay has left a delivery pending: stores the results that it may wait for. */
  storeResults(): void;
  /** Takes no new jobs, waits at most `graceMs` for those in flight, then closes. */
  stop(graceMs: number): Promise<void>;
};

/**
 * Requests are slow a little before they leave their slots: what waits for these slots must find them
 * counted.
 */
const slowShare = 0.8;

export function startDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { clock, log } = deps;
  const ledger = createLedgerBatches(deps);
  const claims = createClaims({ claimInLedger: ledger.claim, requeue: ledger.requeue, clock });
  const slowReceivers = new SlowReceivers({
    capacity: deps.overflow.capacity,
    slowAfterMs: deps.overflow.afterMs * slowShare,
    narrow: ledger.narrow,
    requeue: ledger.requeue,
    log,
  });
  const stopped = new AbortController();
  const backpressure = createBackpressure();
  const settlements = createSettlements({
    ...deps,
    signal: stopped.signal,
    pace: backpressure.pace,
    freeSlots: (object) => workers.freeSlots(object),
    send: (delivery) => workers.run(delivery.object, () => handler.send(delivery)),
  });
  const handler = createHandler({
    claim: claims.claim,
    claimIfSlow: claims.claimIfSlow,
    findEndpoint: (id, revision) => deps.endpoints.find(id, revision),
    send: (delivery, request) =>
      slowReceivers.watch(delivery, () => deps.send(withCheck(request, delivery, deps.db))),
    settle: (settlement) => {
      if (settlement.state !== "delivered") {
        claims.distrust(settlement.subscriptionId);
      }
      return settlements.add(settlement);
    },
    switchOff: async (subscriptionId, revision) => {
      await switchOff(deps, subscriptionId, "gone", { revision });
    },
    onFirstAttempt: backpressure.recordLag,
    onAttempt: (report) => reportAttempt(report, deps),
    clock,
    random: deps.random,
    faultPoint: deps.faultPoint,
  });
  const workers = startJobWorkers({
    backend: deps.backend,
    concurrency: deps.concurrency,
    overflow: deps.overflow,
    log,
    handle: (job, object) => slowReceivers.handle(job, object, handler.handle),
    giveBack: ledger.requeue,
  });
  showCounts(deps.metrics, workers);
  const dispatch = createDispatch({
    ...deps,
    workers,
    handle: (one) => slowReceivers.handle(one, one.object, handler.handle),
  });
  return {
    dispatch: (enqueued) => {
      if (enqueued.length > 0) {
        settlements.noteDispatch();
      }
      return dispatch(enqueued);
    },
    storeResults: settlements.hurry,
    stop: async (graceMs) => {
      settlements.hurry();
      await settlements.untilDispatched(await stopWorkers(workers, graceMs));
      stopped.abort();
    },
  };
}

/**
 * A request that waits for a token asks whether its webhook is still on. What cannot be read in time
 * is assumed to be on: a slow database must not fail a delivery.
 */
function withCheck(request: SendRequest, { subscriptionId }: ClaimedDelivery, db: Db): SendRequest {
  if (request.oauth2 === undefined) {
    return request;
  }
  const isStillOn = (withinMs: number): Promise<boolean> =>
    withTimeout(isActive(db, subscriptionId), withinMs, "the webhook").catch(() => true);
  return { ...request, isStillOn };
}

function showCounts(metrics: Metrics, workers: DeliveryWorkers): void {
  metrics.onRender(() => {
    const { held, inOverflow, waiting } = workers.counts();
    metrics.workerRequests.set({ state: "held" }, held);
    metrics.workerRequests.set({ state: "in_overflow" }, inOverflow);
    // Deprecated: the old name of in_overflow, for one version.
    metrics.workerRequests.set({ state: "parked" }, inOverflow);
    metrics.workerRequests.set({ state: "waiting" }, waiting);
  });
}

type DispatchDeps = {
  workers: DeliveryWorkers;
  dispatcher: Pick<Dispatcher, "dispatch">;
  handle: (one: EnqueuedDelivery) => Promise<void>;
  log: Logger;
};

type StartableDelivery = EnqueuedDelivery & { fresh: FreshDelivery };

/** Adds jobs only for deliveries that find no free slot here, or need a claim. */
function createDispatch(deps: DispatchDeps): DeliveryWorker["dispatch"] {
  const { workers, dispatcher, handle, log } = deps;
  const start = (one: StartableDelivery): void =>
    workers.run(one.object, () =>
      handle(one).catch(async (thrown: unknown) => {
        const { deliveryId, generation, object, fresh } = one;
        log.warn({ deliveryId, reason: toError(thrown).message }, "delivery.not_handled");
        // A job is tried again, in any process. It is claimed first: this one may have been sent.
        const { subscriptionId } = fresh;
        await dispatcher.dispatch([{ deliveryId, generation, object, subscriptionId }]);
      }),
    );
  const mayStart = (one: EnqueuedDelivery): one is StartableDelivery =>
    one.fresh !== undefined && (workers.freeSlots(one.object) ?? 0) > 0;
  return async (enqueued) => {
    const others: EnqueuedDelivery[] = [];
    for (const one of enqueued) {
      if (mayStart(one)) {
        start(one); // takes a slot at once
      } else {
        others.push(one);
      }
    }
    await dispatcher.dispatch(others);
  };
}

/** What many jobs ask of the ledger at the same time, in batches. */
function createLedgerBatches({ db, clock, leaseMs }: DeliveryWorkerDeps) {
  const claims = createBatcher<ClaimJob, ClaimedDelivery | undefined>(
    (jobs) => claimDeliveries(db, jobs, { now: clock.now(), leaseMs }),
    maxBatchSize,
  );
  const returned = createBatcher<DeliverJob, undefined>(async (jobs) => {
    await requeueUnsent(db, jobs);
    return jobs.map(() => undefined);
  }, maxBatchSize);
  const narrowed = createBatcher<NarrowedWindow, boolean>(
    (windows) => narrowWindows(db, windows),
    maxBatchSize,
  );
  return {
    claim: (job: ClaimJob) => claims.add(job),
    requeue: (job: DeliverJob): Promise<void> => returned.add(job),
    narrow: (window: NarrowedWindow) => narrowed.add(window),
  };
}
