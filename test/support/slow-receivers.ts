import { expect } from "chai";
import type { ObjectKind } from "../../src/contracts/events.ts";
import { SlowReceivers, type SlowReceiversDeps } from "../../src/pipeline/delivery/claims.ts";
import type { NarrowedWindow } from "../../src/pipeline/ledger/health.ts";
import { createLogger } from "../../src/platform/logger.ts";

/** Slow receivers with a clock and requests that the test ends. */
export function setUpSlowReceivers(more: Partial<SlowReceiversDeps> = {}) {
  let nowMs = 0;
  const narrowed: NarrowedWindow[] = [];
  const requeued: number[] = [];
  const receivers = new SlowReceivers({
    capacity: 80,
    slowAfterMs: 500,
    narrow: async (window) => {
      narrowed.push(window);
      return true;
    },
    requeue: async ({ deliveryId }) => void requeued.push(deliveryId),
    log: createLogger("silent", "test"),
    now: () => nowMs,
    ...more,
  });
  let lastId = 0;
  const jobFor = (subscriptionId: number, object: ObjectKind = "ticket") => {
    lastId += 1;
    const fresh = {
      ...{ subscriptionId, object, revision: 1, sequence: lastId },
      ...{ eventId: `evt_${lastId}`, body: "{}", occurredAt: 0, queuedAt: 0 },
    };
    return { deliveryId: lastId, generation: 1, fresh };
  };
  const ends: (() => void)[] = [];
  const running: Promise<void>[] = [];
  const hang = () => new Promise<void>((resolve) => ends.push(resolve));
  /** Starts requests of deliveries that are claimed already. */
  const start = (subscriptionId: number, count = 1): void => {
    for (let i = 0; i < count; i += 1) {
      const { deliveryId, fresh } = jobFor(subscriptionId);
      running.push(receivers.watch({ ...fresh, deliveryId }, hang));
    }
  };
  /** What the receiver may have; undefined if the job was let through. */
  const limitOf = async (subscriptionId: number, object?: ObjectKind) => {
    const count = narrowed.length;
    const job = jobFor(subscriptionId, object);
    let hasRun = false;
    await receivers.handle(job, job.fresh.object, async () => {
      hasRun = true;
    });
    expect(requeued.includes(job.deliveryId)).to.equal(!hasRun);
    return narrowed.slice(count).find((window) => window.subscriptionId === subscriptionId)?.size;
  };
  const endAll = async (): Promise<void> => {
    ends.splice(0).forEach((end) => end());
    await Promise.all(running.splice(0));
  };
  const advance = (ms: number): void => {
    nowMs += ms;
  };
  return {
    receivers,
    jobFor,
    start,
    limitOf,
    hang,
    endAll,
    advance,
    narrowed,
    requeued,
    ends,
    running,
  };
}
