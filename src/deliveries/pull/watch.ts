/**
 * In: requests that wait for a subscription. Out: they are woken when it has a newer sequence.
 * Guarantee: one query for all that wait in this process, and none while no request waits.
 */
import { toError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";

export type SequenceWatchDeps = {
  /** The highest sequences that were given to these subscriptions. */
  readLastSequences: (subscriptionIds: readonly number[]) => Promise<Map<number, number>>;
  log: Pick<Logger, "warn">;
  /** Wakes all when it fires: the process stops. */
  stopping: AbortSignal;
};

export type SequenceWatch = {
  /**
   * Resolves when the subscription has a sequence above `after`, after `waitMs`, or when a signal
   * fires. The caller reads which of them it was.
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

/** Often while there is something new, seldom while there is not. */
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
