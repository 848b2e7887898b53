/**
 * After too many failures, further passwords of a login are tried at a fixed rate across all
 * processes. Waiters are served fairly by network, the newest of a network first. Waiters that time
 * out or overflow are rejected with 429.
 */
import { rateLimited, type RateLimiter } from "../../http/rate-limit.ts";
import {
  createFairQueue,
  type FairQueue,
  type Requester,
} from "../../platform/concurrency/fair-queue.ts";
import { sleep } from "../../platform/concurrency/async.ts";

export type LoginPacer = {
  /** Resolves when the requester may try a password of `key`. */
  wait(key: string, requester: Requester): Promise<void>;
};

export type LoginPacerDeps = Readonly<{
  /** The shared rate. */
  pace: Pick<RateLimiter, "take">;
  /** Must be below the usual time-outs of proxies and HTTP clients. */
  maxWaitMs?: number;
  pollMs?: number;
}>;

/** A waiter costs one connection. `inAll` does not apply to known clients. */
const maxWaiting = { perKey: 20, inAll: 1_000 };

type PacedWaiter = { acquire(): void; reject(): void };

type LoginQueue = { queue: FairQueue<PacedWaiter>; isServed: boolean };

export function createLoginPacer(deps: LoginPacerDeps): LoginPacer {
  const { pace, maxWaitMs = 30_000, pollMs = 100 } = deps;
  const loginQueueOf = createLoginQueues();
  let waiting = 0;

  const serve = async (key: string, loginQueue: LoginQueue): Promise<void> => {
    const { queue } = loginQueue;
    while (queue.size() > 0) {
      const { isAllowed } = await pace.take(key);
      if (isAllowed) {
        queue.next()?.acquire();
      } else {
        await sleep(pollMs);
      }
    }
    loginQueue.isServed = false;
  };

  const queueOf = (key: string): FairQueue<PacedWaiter> => {
    const loginQueue = loginQueueOf(key);
    if (!loginQueue.isServed) {
      loginQueue.isServed = true;
      setImmediate(() => void serve(key, loginQueue));
    }
    return loginQueue.queue;
  };

  return {
    wait: (key, requester) => {
      if (waiting >= maxWaiting.inAll && !requester.isPreferred) {
        return Promise.reject(tooManyAttempts());
      }
      const queue = queueOf(key);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          clearTimeout(timer);
          waiting -= 1;
        };
        const waiter: PacedWaiter = {
          acquire: () => {
            leave();
            resolve();
          },
          reject: () => {
            leave();
            reject(tooManyAttempts());
          },
        };
        const timer = setTimeout(() => {
          queue.remove(requester, waiter);
          waiter.reject();
        }, maxWaitMs);
        waiting += 1;
        const { isAccepted, displaced } = queue.add(requester, waiter);
        displaced?.reject();
        if (!isAccepted) {
          waiter.reject();
        }
      });
    },
  };
}

/** Empty queues are kept, because they remember which networks were served. */
const maxQueues = 1_000;

/** The queue of each login. */
function createLoginQueues(): (key: string) => LoginQueue {
  const queues = new Map<string, LoginQueue>(); // least recently used first
  const dropOldest = (): void => {
    for (const [key, { queue }] of queues) {
      if (queues.size < maxQueues) {
        return;
      }
      if (queue.size() === 0) {
        queues.delete(key);
      }
    }
  };
  return (key) => {
    const loginQueue = queues.get(key) ?? {
      queue: createFairQueue<PacedWaiter>(maxWaiting.perKey, { isNewestFirst: true }),
      isServed: false,
    };
    queues.delete(key);
    dropOldest();
    queues.set(key, loginQueue);
    return loginQueue;
  };
}

const retryAfterSeconds = 30;

function tooManyAttempts() {
  return rateLimited(
    { isAllowed: false, limit: maxWaiting.perKey, remaining: 0, resetSeconds: retryAfterSeconds },
    "Too many failed logins.",
  );
}
