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

export type SlowReceiversDeps = {
  /** Requests of a queue that may be outside of the slots. */
  capacity: number;
  /** After this time a request is slow. */
  slowAfterMs: number;
  narrow: (window: NarrowedWindow) => Promise<void>;
  /** Makes the delivery of a fresh job due again. */
  requeue: (job: DeliverJob) => Promise<void>;
  log: Logger;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/** A receiver is silent if this many requests have waited for so long, and none got an answer. */
const silentAfterMs = 1_000;

const silentRequests = slowWindow;

/**
 * A receiver with slow requests may have this part of the room that is still free, as in the dynamic
 * thresholds of switches with shared memory (Choudhury and Hahne, 1998): one alone is not limited,
 * and however many hang, some room is left for the others.
 */
const shareOfFree = 1 / 8;

/** When this part of the room is used, the share is also that of receivers not known to be slow. */
const scarceFrom = 1 / 2;

const tickMs = 125;

/** Slots that slow requests leave are taken at once, so the counts must not be older. */
const countEveryMs = 20;

type Receiver = {
  readonly subscriptionId: number;
  running: number;
  /** How many of them were slow when they were counted. */
  slow: number;
  answeredAtMs: number;
  isReported: boolean;
};

type Run = { readonly startedAtMs: number; readonly receiver: Receiver; readonly room: Room };

/** The requests of one queue, and their receivers. */
class Room {
  readonly #receivers = new Map<number, Receiver>();
  /** Oldest first. */
  readonly #running = new Set<Run>();
  #slow = 0;
  #countedAtMs = 0;

  begin(subscriptionId: number, startedAtMs: number): Run {
    let receiver = this.#receivers.get(subscriptionId);
    if (receiver === undefined) {
      receiver = {
        ...{ subscriptionId, running: 0, slow: 0 },
        ...{ answeredAtMs: startedAtMs, isReported: false },
      };
      this.#receivers.set(subscriptionId, receiver);
    }
    receiver.running += 1;
    const run = { startedAtMs, receiver, room: this };
    this.#running.add(run);
    return run;
  }

  /** False if it has ended before. */
  end(run: Run): boolean {
    if (!this.#running.delete(run)) {
      return false;
    }
    const { receiver } = run;
    receiver.running -= 1;
    if (receiver.running === 0) {
      this.#receivers.delete(receiver.subscriptionId);
    }
    return true;
  }

  /** How many requests the receiver may have, if another one would be too many. */
  limitFor(
    subscriptionId: number,
    { capacity, slowAfterMs }: SlowReceiversDeps,
    nowMs: number,
  ): number | undefined {
    if (nowMs - this.#countedAtMs >= countEveryMs) {
      this.#countedAtMs = nowMs;
      this.#countSlow(nowMs - slowAfterMs);
    }
    const receiver = this.#receivers.get(subscriptionId);
    const isScarce = this.#slow >= capacity * scarceFrom;
    if (receiver === undefined || (receiver.slow === 0 && !isScarce)) {
      return undefined;
    }
    const limit = Math.max(1, Math.floor((capacity - this.#slow) * shareOfFree));
    return receiver.running < limit ? undefined : limit;
  }

  #countSlow(beforeMs: number): void {
    const [oldest] = this.#running;
    if (this.#slow === 0 && (oldest === undefined || oldest.startedAtMs > beforeMs)) {
      return; // nothing is slow, as usual
    }
    this.#slow = 0;
    for (const receiver of this.#receivers.values()) {
      receiver.slow = 0;
    }
    for (const { startedAtMs, receiver } of this.#running) {
      if (startedAtMs > beforeMs) {
        return;
      }
      this.#slow += 1;
      receiver.slow += 1;
    }
  }

  /** Receivers that gave no answer since this time, although several requests wait for one. */
  silent(beforeMs: number): Receiver[] {
    const waiting = new Map<Receiver, number>();
    for (const { startedAtMs, receiver } of this.#running) {
      if (startedAtMs > beforeMs) {
        break;
      }
      waiting.set(receiver, (waiting.get(receiver) ?? 0) + 1);
    }
    return [...waiting]
      .filter(([receiver, count]) => count >= silentRequests && receiver.answeredAtMs <= beforeMs)
      .map(([receiver]) => receiver);
  }
}

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
   * Runs `next`. If the receiver has its share of slow requests, a fresh job is made due again
   * instead, within a smaller window. Other jobs were let go by the ledger, a few at a time.
   */
  async handle(job: DeliverJob, next: (job: DeliverJob) => Promise<void>): Promise<void> {
    const { deliveryId, fresh } = job;
    if (fresh === undefined || this.#reserved.has(deliveryId)) {
      return next(job);
    }
    const { object, subscriptionId } = fresh;
    const size = this.#roomOf(object).limitFor(subscriptionId, this.#deps, this.#deps.now());
    if (size !== undefined) {
      await this.#deps.narrow({ subscriptionId, size });
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
      () => log.info({ subscription_id: subscriptionId }, "subscription.silent"),
      () => {
        receiver.isReported = false;
      },
    );
  }
}
