/**
 * In: the jobs and requests of a worker. Out: receivers that do not answer get fewer requests.
 * A slow request waits outside of the slots (`platform/concurrency/bulkhead.ts`), where there is room
 * for a limited number. Without this, receivers that worked well until they all began to hang would
 * fill it with what their concurrency windows allow, and nobody else would get anything.
 * On crash: nothing is lost; the counts are of this process.
 */
import type { ObjectKind } from "../../contracts/events.ts";
import type { DeliverJob } from "../../contracts/jobs.ts";
import type { Logger } from "../../platform/logger.ts";
import type { ClaimedDelivery } from "../ledger/claim.ts";
import type { NarrowedWindow } from "../ledger/health.ts";
import { slowWindow } from "../ledger/next-health.ts";
import { Room, silentAfterMs, type Receiver, type RoomLimits, type Run } from "./slow-requests.ts";

export type SlowReceiversDeps = RoomLimits & {
  /** Resolves to whether the window was larger. */
  narrow: (window: NarrowedWindow) => Promise<boolean>;
  /** Makes the delivery of a job due again. */
  requeue: (job: DeliverJob) => Promise<void>;
  log: Logger;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

const tickMs = 125;

/** Limits the requests of receivers that are slow or silent. One per process. */
export class SlowReceivers {
  readonly #deps: Required<SlowReceiversDeps>;
  readonly #rooms = new Map<ObjectKind, Room>();
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
    const limit = this.#roomOf(object).limitFor(subscriptionId, this.#deps, this.#deps.now());
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

  #roomOf(object: ObjectKind): Room {
    const room = this.#rooms.get(object) ?? new Room();
    this.#rooms.set(object, room);
    return room;
  }

  #begin(object: ObjectKind, subscriptionId: number): Run {
    const nowMs = this.#deps.now();
    this.#running += 1;
    if (this.#timer === undefined) {
      this.#lastTickMs = nowMs;
      this.#timer = setInterval(() => this.#tick(), tickMs);
    }
    return this.#roomOf(object).begin(subscriptionId, nowMs);
  }

  #end(run: Run): void {
    if (run.room.end(run)) {
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
      [...this.#rooms.values()]
        .flatMap((room) => room.silent(nowMs - silentAfterMs))
        .filter((receiver) => !receiver.isReported)
        .forEach((receiver) => this.#report(receiver));
    }
  }

  /** Again at the next tick if it fails. */
  #report(receiver: Receiver): void {
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
