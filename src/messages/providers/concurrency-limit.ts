/**
 * A bulkhead for each provider: a hanging provider must not occupy the whole queue, and messages
 * must not wait inside a client, from which they cannot be cancelled.
 */
import { createSemaphore } from "../../platform/concurrency/semaphore.ts";
import type { MessageProvider } from "./provider.ts";

export type ConcurrencyRules = Readonly<{
  maxConcurrent: number;
  /** How long a message waits for a permit before it is reported as busy. */
  maxWaitMs: number;
}>;

/**
 * Bounds the messages in flight at one provider. Otherwise those of a provider that hangs would
 * occupy every worker of the queue, and messages of other providers would wait behind them.
 *
 * An aborted message is never sent. Once a message waited in vain and no permit was taken or
 * returned meanwhile, the next ones are busy at once instead of waiting as long.
 */
export function withConcurrencyLimit(
  provider: MessageProvider,
  { maxConcurrent, maxWaitMs }: ConcurrencyRules,
): MessageProvider {
  const permits = createSemaphore(maxConcurrent);
  let progress = 0;
  let isStuck = false;

  const noteProgress = (): void => {
    progress += 1;
    isStuck = false;
  };

  const acquire = async (signal: AbortSignal): Promise<boolean> => {
    if (permits.tryAcquire()) {
      noteProgress();
      return true;
    }
    if (isStuck) {
      return false;
    }
    const before = progress;
    const isAcquired = await permits.acquire({ timeoutMs: maxWaitMs, signal });
    if (!isAcquired && !signal.aborted && progress === before) {
      isStuck = true;
    }
    return isAcquired;
  };

  return {
    ...provider,
    send: async (message, signal) => {
      signal.throwIfAborted();
      if (!(await acquire(signal))) {
        signal.throwIfAborted();
        return { kind: "busy" };
      }
      try {
        return await provider.send(message, signal);
      } finally {
        noteProgress();
        permits.release();
      }
    },
  };
}
