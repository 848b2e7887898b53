/**
 * Where too many passwords were wrong: further ones are tried one after the other, at a pace, by
 * all processes together. Who waits is served fairly by network, of one network the newest first,
 * and refused only where their turn does not come in time or newer ones of the same network fill
 * the line.
 */
import { rateLimited } from "../../http/limits.ts";
import type { RateLimiter } from "../../http/rate-limit.ts";
import { createFairQueue, type FairQueue, type Requester } from "../../platform/fair-queue.ts";
import { pause } from "../../platform/wait.ts";

export type SlowLine = {
  /** Resolves when it is the requester's turn to try a password of `key`. */
  wait(key: string, requester: Requester): Promise<void>;
};

export type SlowLineDeps = Readonly<{
  /** How many turns there are. */
  pace: Pick<RateLimiter, "take">;
  /** Shorter than the time-outs that proxies and HTTP clients usually have. */
  maxWaitMs?: number;
  pollMs?: number;
}>;

/** Each holds a connection and nothing else. */
const maxWaiting = { perKey: 20, inAll: 1_000 };

type Waiter = { enter(): void; refuse(): void };

export function createSlowLine(deps: SlowLineDeps): SlowLine {
  const { pace, maxWaitMs = 30_000, pollMs = 100 } = deps;
  const lines = new Map<string, FairQueue<Waiter>>();
  let waiting = 0;

  const serve = async (key: string, queue: FairQueue<Waiter>): Promise<void> => {
    while (queue.size() > 0) {
      const { isAllowed } = await pace.take(key);
      if (isAllowed) {
        queue.next()?.enter();
      } else {
        await pause(pollMs);
      }
    }
    lines.delete(key);
  };

  const lineOf = (key: string): FairQueue<Waiter> => {
    const present = lines.get(key);
    if (present !== undefined) {
      return present;
    }
    const queue = createFairQueue<Waiter>(maxWaiting.perKey, { isNewestFirst: true });
    lines.set(key, queue);
    setImmediate(() => void serve(key, queue));
    return queue;
  };

  return {
    wait: (key, requester) => {
      if (waiting >= maxWaiting.inAll) {
        return Promise.reject(tooMany());
      }
      const queue = lineOf(key);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          waiting -= 1;
        };
        const waiter: Waiter = {
          enter: () => {
            leave();
            resolve();
          },
          refuse: () => {
            leave();
            reject(tooMany());
          },
        };
        const timer = setTimeout(() => {
          queue.remove(requester, waiter);
          waiter.refuse();
        }, maxWaitMs);
        waiting += 1;
        const { isAccepted, displaced } = queue.add(requester, waiter);
        displaced?.refuse();
        if (!isAccepted) {
          waiter.refuse();
        }
      });
    },
  };
}

const comeBackSeconds = 30;

function tooMany() {
  return rateLimited(
    { isAllowed: false, limit: maxWaiting.perKey, remaining: 0, resetSeconds: comeBackSeconds },
    "Too many failed logins.",
  );
}
