/**
 * In: calls of one queue. Out: their answers, or a rejection within seconds.
 * Guarantee: BullMQ remembers for ever that a queue could not be opened, so such a queue is closed
 * and another one opened, at the first call after `pauseMs`.
 */
import { toError } from "../errors.ts";
import { withTimeout } from "../wait.ts";
import type { Outage } from "./outage.ts";

export type Openable = {
  queue: { waitUntilReady(): Promise<unknown> };
  close: () => Promise<void>;
};

export type ReopeningQueue<Opened extends Openable> = {
  /** Opens the queue where it is not open, then makes the call. */
  call<T>(work: (opened: Opened) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type ReopeningQueueDeps<Opened extends Openable> = {
  name: string;
  open: () => Opened;
  outage: Outage;
  /** From one opening to the next. */
  pauseMs: number;
  /** The longest wait for the opening, and then for the answer. */
  timeoutMs: number;
};

export function createReopeningQueue<Opened extends Openable>({
  name,
  open,
  outage,
  pauseMs,
  timeoutMs,
}: ReopeningQueueDeps<Opened>): ReopeningQueue<Opened> {
  const opener = createOpener(open, pauseMs);
  let isClosed = false;
  const bounded = <T>(promise: Promise<T>): Promise<T> =>
    withTimeout(promise, timeoutMs, `The queue did not answer within ${timeoutMs} ms`);
  return {
    call: async (work) => {
      if (isClosed) {
        throw new Error(`The queue ${name} is closed`);
      }
      try {
        const { opened, ready } = opener.get();
        // Apart, so that a call whose caller gave up is not made later.
        await bounded(ready);
        const answer = await bounded(work(opened));
        outage.ended(name);
        return answer;
      } catch (thrown) {
        if (!isClosed) {
          outage.began(name, toError(thrown));
        }
        throw thrown;
      }
    },
    close: async () => {
      isClosed = true;
      await opener.close();
    },
  };
}

type Attempt<Opened> = { opened: Opened; ready: Promise<void> };

/** Keeps one queue open. Nothing is sent before the first call. */
function createOpener<Opened extends Openable>(
  open: () => Opened,
  pauseMs: number,
): { get: () => Attempt<Opened>; close: () => Promise<void> } {
  let current: Attempt<Opened> | undefined;
  let failure: { error: Error; isOverAt: number } | undefined;
  const closings = new Set<Promise<void>>();
  const end = (): void => {
    if (current !== undefined) {
      const closing = closeQuietly(current.opened).finally(() => closings.delete(closing));
      closings.add(closing);
      current = undefined;
    }
  };
  const start = (): Attempt<Opened> => {
    if (failure !== undefined && performance.now() < failure.isOverAt) {
      throw failure.error;
    }
    const isOverAt = performance.now() + pauseMs;
    const opened = open();
    const ready = opened.queue.waitUntilReady().then(
      () => undefined,
      (thrown: unknown) => {
        failure = { error: toError(thrown), isOverAt };
        if (current?.opened === opened) {
          end();
        }
        throw failure.error;
      },
    );
    // Whether somebody still waits for it or not.
    ready.catch(() => undefined);
    return { opened, ready };
  };
  return {
    get: () => (current ??= start()),
    close: async () => {
      end();
      await Promise.all(closings);
    },
  };
}

const closeTimeoutMs = 3_000;

async function closeQuietly({ close }: Openable): Promise<void> {
  await withTimeout(close(), closeTimeoutMs, "queue close").catch(() => undefined);
}
