/**
 * The requests of one queue in this process: how many each receiver has, how many are slow, and which
 * receivers do not answer. Times are those of a monotonic clock, in milliseconds.
 */
import { slowWindow } from "../ledger/next-health.ts";

export type OverflowLimits = {
  /** Requests of a queue that may be in the overflow. */
  capacity: number;
  /** After this time a request is slow. */
  slowAfterMs: number;
};

/**
 * A receiver is silent if this many requests have waited for so long, and none got an answer. They
 * are more than a receiver gets whose answers always take longer.
 */
export const silentAfterMs = 1_000;

const silentRequests = slowWindow + 1;

/**
 * A receiver with slow requests may have this part of the overflow that is still free, as in the dynamic
 * thresholds of switches with shared memory (Choudhury and Hahne, 1998): one alone may have most of
 * its window, and however many hang, some of it is left for the others.
 */
const shareOfFree = 1 / 8;

/**
 * When this part of the overflow is used, receivers are limited that are not known to be slow: they may
 * begin to hang, too. But a quick one needs few requests at a time, and keeps its window.
 */
const scarceFrom = 1 / 2;

const quickRequests = 4 * slowWindow;

/** Slots that slow requests leave are taken at once, so the counts must not be older. */
const countEveryMs = 20;

export type ReceiverLoad = {
  readonly subscriptionId: number;
  running: number;
  /** How many of them were slow when they were counted. */
  slow: number;
  answeredAtMs: number;
  isReported: boolean;
};

export type Run = {
  readonly startedAtMs: number;
  /** When its request was sent; undefined before. */
  sentAtMs: number | undefined;
  readonly receiver: ReceiverLoad;
  readonly queue: QueueRequests;
};

/** How many requests a receiver may have, and whether some are slow. */
type Limit = { size: number; isSlow: boolean };

/** The requests of one queue, and their receivers. */
export class QueueRequests {
  readonly #receivers = new Map<number, ReceiverLoad>();
  /** Oldest first. */
  readonly #running = new Set<Run>();
  #slow = 0;
  #countedAtMs = 0;

  begin(subscriptionId: number, startedAtMs: number): Run {
    let receiver = this.#receivers.get(subscriptionId);
    if (receiver === undefined) {
      receiver = {
        subscriptionId,
        running: 0,
        slow: 0,
        answeredAtMs: startedAtMs,
        isReported: false,
      };
      this.#receivers.set(subscriptionId, receiver);
    }
    receiver.running += 1;
    const run: Run = { startedAtMs, sentAtMs: undefined, receiver, queue: this };
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

  /** Undefined if the receiver may have another request. */
  limitFor(
    subscriptionId: number,
    { capacity, slowAfterMs }: OverflowLimits,
    nowMs: number,
  ): Limit | undefined {
    if (capacity === 0) {
      return undefined; // there is no overflow: slow requests keep their slots
    }
    if (nowMs - this.#countedAtMs >= countEveryMs) {
      this.#countedAtMs = nowMs;
      this.#countSlow(nowMs - slowAfterMs);
    }
    const receiver = this.#receivers.get(subscriptionId);
    const isScarce = this.#slow >= capacity * scarceFrom;
    if (receiver === undefined || (receiver.slow === 0 && !isScarce)) {
      return undefined;
    }
    const isSlow = receiver.slow > 0;
    const share = Math.floor((capacity - this.#slow) * shareOfFree);
    const size = Math.max(isSlow ? 1 : quickRequests, share);
    return receiver.running < size ? undefined : { size, isSlow };
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
  silent(beforeMs: number): ReceiverLoad[] {
    const waiting = new Map<ReceiverLoad, number>();
    for (const { startedAtMs, sentAtMs, receiver } of this.#running) {
      if (startedAtMs > beforeMs) {
        break;
      }
      if (sentAtMs === undefined || sentAtMs > beforeMs) {
        continue;
      }
      waiting.set(receiver, (waiting.get(receiver) ?? 0) + 1);
    }
    return [...waiting]
      .filter(([receiver, count]) => count >= silentRequests && receiver.answeredAtMs <= beforeMs)
      .map(([receiver]) => receiver);
  }
}
