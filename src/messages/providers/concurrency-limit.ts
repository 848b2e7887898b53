/**
 * A provider gets so many messages at once and no more. Those of a provider that hangs would
 * otherwise take every place of the lane, and the others' messages would wait behind them; or they
 * would wait inside a client's own queue, out of which nobody can take them back.
 */
import type { MessageProvider } from "./provider.ts";

export type SemaphoreRules = Readonly<{
  maxConcurrent: number;
  /** So long a message waits for its turn, and so long no turn may end before nobody waits. */
  maxWaitMs: number;
}>;

/** The provider, asked by at most so many at once. Who was told to stop hands nothing over. */
export function withConcurrencyLimit(
  provider: MessageProvider,
  rules: SemaphoreRules,
): MessageProvider {
  const turns = createSemaphore(rules);
  return {
    ...provider,
    send: async (message, signal) => {
      signal.throwIfAborted();
      if (!(await turns.take(signal))) {
        signal.throwIfAborted();
        return { kind: "busy" };
      }
      try {
        return await provider.send(message, signal);
      } finally {
        turns.giveBack();
      }
    },
  };
}

function createSemaphore({ maxConcurrent, maxWaitMs }: SemaphoreRules) {
  let free = maxConcurrent;
  // How often a turn began or ended, and whether somebody waited in vain since the last time.
  let changes = 0;
  let isStuck = false;
  const waiting = new Set<() => void>();
  const change = (): void => {
    changes += 1;
    isStuck = false;
  };
  return {
    /** False where no turn came, or the caller was told to stop. */
    take: async (signal: AbortSignal): Promise<boolean> => {
      if (free > 0) {
        free -= 1;
        change();
        return true;
      }
      if (isStuck || signal.aborted) {
        return false;
      }
      const changesBefore = changes;
      return new Promise((resolve) => {
        const answer = (isTaken: boolean): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", giveUp);
          resolve(isTaken);
        };
        const take = (): void => answer(true);
        const giveUp = (): void => {
          waiting.delete(take);
          answer(false);
        };
        const losePatience = (): void => {
          isStuck = changes === changesBefore;
          giveUp();
        };
        const timer = setTimeout(losePatience, maxWaitMs);
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.add(take);
      });
    },
    giveBack: (): void => {
      change();
      const [next] = waiting;
      if (next === undefined) {
        free += 1;
      } else {
        waiting.delete(next);
        next();
      }
    },
  };
}
