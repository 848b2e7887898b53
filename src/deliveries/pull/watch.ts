/**
 * In: requests that wait for events of a subscription. Out: a wake-up when there is a newer
 * sequence.
 * Guarantee: one query for all waiting requests of this process, none without waiting requests.
 */
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";

export type SequenceWatchDeps = {
  /** The last sequence of each subscription. */
  readLastSequences: (subscriptionIds: readonly number[]) => Promise<Map<number, number>>;
  log: Pick<Logger, "warn">;
  /** Wakes everyone when it aborts, because the process stops. */
  stopping: AbortSignal;
};

export type SequenceWatch = {
  /**
   * Resolves when the subscription has a sequence above `after`, after `waitMs`, or when a signal
   * aborts. The caller checks which.
   */
  wait(
    subscriptionId: number,
    after: number,
    options: { waitMs: number; signal?: AbortSignal },
  ): Promise<void>;
};

const shortestMs = 100;
const longestMs = 500;

type SequenceWaiter = { subscriptionId: number; after: number; wake: () => void };

/** Polls often while there are new events, and backs off while there are none. */
export function createSequenceWatch({
  readLastSequences,
  log,
  stopping,
}: SequenceWatchDeps): SequenceWatch {
  const waiters = new Set<SequenceWaiter>();
  let everyMs = shortestMs;
  let timer: NodeJS.Timeout | undefined;

  const poll = async (): Promise<void> => {
    const ids = [...new Set([...waiters].map((waiter) => waiter.subscriptionId))];
    let woken = 0;
    try {
      const last = await readLastSequences(ids);
      for (const waiter of waiters) {
        if ((last.get(waiter.subscriptionId) ?? 0) > waiter.after) {
          waiter.wake();
          woken += 1;
        }
      }
    } catch (thrown) {
      log.warn({ reason: toError(thrown).message }, "pull.watch_failed");
    }
    everyMs = woken > 0 ? shortestMs : Math.min(everyMs * 2, longestMs);
  };
  const plan = (): void => {
    if (timer !== undefined || waiters.size === 0) {
      return;
    }
    timer = setTimeout(() => {
      void poll().finally(() => {
        timer = undefined;
        plan();
      });
    }, everyMs);
  };

  stopping.addEventListener("abort", () => waiters.forEach((waiter) => waiter.wake()));

  return {
    wait: async (subscriptionId, after, { waitMs, signal }) => {
      if (stopping.aborted || signal?.aborted === true) {
        return;
      }
      everyMs = waiters.size === 0 ? shortestMs : everyMs;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(late);
          waiters.delete(waiter);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const waiter: SequenceWaiter = { subscriptionId, after, wake };
        const late = setTimeout(wake, waitMs);
        signal?.addEventListener("abort", wake);
        waiters.add(waiter);
        plan();
      });
    },
  };
}
