/**
 * In: hints of all object kinds. Out: claims and settlements, many in one statement.
 * Guarantee: a hint's job completes only after its result is committed.
 * On crash: claimed deliveries come back when their leases end, everything else with its hint.
 */
import type { DeliverHint } from "../../contracts/jobs.ts";
import { createBatcher } from "../../platform/batcher.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { FaultPoint } from "../../platform/fault-point.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { QueueBackend } from "../../platform/queue/backend.ts";
import { startHintWorkers, type Parking } from "../../platform/queue/hint-workers.ts";
import { claimDeliveries, type ClaimedDelivery } from "../ledger/claim.ts";
import type { Dispatcher } from "../ledger/dispatch.ts";
import type { WriteNotices } from "../ledger/notices.ts";
import type { Settlement } from "../ledger/settle.ts";
import { switchOff } from "../ledger/switch-off.ts";
import type { Targets } from "../ledger/targets.ts";
import { createHandler } from "./handle.ts";
import { createPressure } from "./pressure.ts";
import { reportAttempt } from "./report.ts";
import type { Send } from "./send-types.ts";
import { createSettler } from "./settler.ts";

export type DeliveryWorkerDeps = {
  db: Db;
  writeNotices: WriteNotices;
  backend: QueueBackend;
  dispatcher: Pick<Dispatcher, "limits" | "dispatch">;
  targets: Targets;
  send: Send;
  clock: Clock;
  random: () => number;
  faultPoint: FaultPoint;
  log: Logger;
  metrics: Metrics;
  concurrency: number;
  parking: Parking;
  leaseMs: number;
};

export type DeliveryWorker = {
  /** Takes no new hint, waits at most `graceMs` for what is under way, then closes. */
  stop(graceMs: number): Promise<void>;
};

/** Enough to spread a statement's cost, and few enough that nobody waits for a large one. */
const mostPerStatement = 200;

export function startDeliveryWorker(deps: DeliveryWorkerDeps): DeliveryWorker {
  const { db, clock, log } = deps;
  const claims = createBatcher<DeliverHint, ClaimedDelivery | undefined>(
    (hints) => claimDeliveries(db, hints, { now: clock.now(), leaseMs: deps.leaseMs }),
    mostPerStatement,
  );
  const stopped = new AbortController();
  const pressure = createPressure();
  const settler = createSettler({ ...deps, signal: stopped.signal, isPressed: pressure.isHigh });
  const settlements = createBatcher<Settlement, boolean>(settler, mostPerStatement);
  const workers = startHintWorkers({
    backend: deps.backend,
    concurrency: deps.concurrency,
    parking: deps.parking,
    log,
    handle: createHandler({
      claim: (hint) => claims.add(hint),
      findTarget: (id, revision) => deps.targets.find(id, revision),
      send: deps.send,
      settle: (settlement) => settlements.add(settlement),
      switchOff: async (subscriptionId) => {
        await switchOff(deps, subscriptionId, "gone");
      },
      onBegin: pressure.note,
      onAttempt: (report) => reportAttempt(report, deps),
      clock,
      random: deps.random,
      faultPoint: deps.faultPoint,
    }),
  });
  deps.metrics.onRender(() => {
    for (const [state, count] of Object.entries(workers.counts())) {
      deps.metrics.deliveryPlaces.set({ state }, count);
    }
  });
  return {
    stop: async (graceMs) => {
      await workers.pause();
      await workers.close(graceMs);
      stopped.abort();
    },
  };
}
