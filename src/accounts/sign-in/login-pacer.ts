/**
 * Where too many passwords were wrong: further ones are tried one after the other, at a pace, by
 * all processes together. Who waits is served fairly by network, of one network the newest first,
 * and refused only where their turn does not come in time or newer ones of the same network fill
 * the line.
 */
import { rateLimited } from "../../http/limits.ts";
import type { RateLimiter } from "../../http/rate-limit.ts";
import {
  createFairQueue,
  type FairQueue,
  type Requester,
} from "../../platform/concurrency/fair-queue.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";

export type LoginPacer = {
  /** Resolves when it is the requester's turn to try a password of `key`. */
  wait(key: string, requester: Requester): Promise<void>;
};

export type LoginPacerDeps = Readonly<{
  /** How many turns there are. */
  pace: Pick<RateLimiter, "take">;
  /** Shorter than the time-outs that proxies and HTTP clients usually have. */
  maxWaitMs?: number;
  pollMs?: number;
}>;

/** Each holds a connection and nothing else. */
const maxWaiting = { perKey: 20, inAll: 1_000 };

type PacedWaiter = { enter(): void; refuse(): void };

export function createLoginPacer(deps: LoginPacerDeps): LoginPacer {
  const { pace, maxWaitMs = 30_000, pollMs = 100 } = deps;
  const queues = new Map<string, FairQueue<PacedWaiter>>();
  let waiting = 0;

  const serve = async (key: string, queue: FairQueue<PacedWaiter>): Promise<void> => {
    while (queue.size() > 0) {
      const { isAllowed } = await pace.take(key);
      if (isAllowed) {
        queue.next()?.enter();
      } else {
        await sleep(pollMs);
      }
    }
    queues.delete(key);
  };

  const queueOf = (key: string): FairQueue<PacedWaiter> => {
    const present = queues.get(key);
    if (present !== undefined) {
      return present;
    }
    const queue = createFairQueue<PacedWaiter>(maxWaiting.perKey, { isNewestFirst: true });
    queues.set(key, queue);
    setImmediate(() => void serve(key, queue));
    return queue;
  };

  return {
    wait: (key, requester) => {
      if (waiting >= maxWaiting.inAll) {
        return Promise.reject(tooManyAttempts());
      }
      const queue = queueOf(key);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          waiting -= 1;
        };
        const waiter: PacedWaiter = {
          enter: () => {
            leave();
            resolve();
          },
          refuse: () => {
            leave();
            reject(tooManyAttempts());
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

const retryAfterSeconds = 30;

function tooManyAttempts() {
  return rateLimited(
    { isAllowed: false, limit: maxWaiting.perKey, remaining: 0, resetSeconds: retryAfterSeconds },
    "Too many failed logins.",
  );
}
