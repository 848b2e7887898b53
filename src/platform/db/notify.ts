import pg from "pg";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { sleep } from "../concurrency/async.ts";
import type { Db } from "./pool.ts";
import { sharedRowsOf } from "./prepared.ts";

const channel = "sightline_wake";

/**
 * Who is woken: the relay (new events), the schedule (a subscription was switched on), the task
 * workers, and the web processes with sockets.
 */
export type WakeTopic = "outbox" | "schedule" | "tasks" | "signalling";

export type Notifier = {
  /**
   * Wakes the listeners of a topic soon. Never throws or waits: a lost wake-up is covered by
   * polling. `word` identifies the subject: ids, at most 90 characters, no space.
   */
  wake(topic: WakeTopic, word?: string): void;
};

export type Listener = {
  /**
   * Calls back on every wake-up of the topic with its words, and without words after a
   * reconnection.
   */
  on(topic: WakeTopic, wake: (words: readonly string[]) => void): void;
  close(): Promise<void>;
};

const coalesceMs = 5;

/** Sends any number of payloads in one statement, in their order. */
const notifySql = "SELECT pg_notify(?, payload) FROM unnest(?::text[]) AS payload";

/** Sends payloads to the listeners. */
export type Notify = (payloads: readonly string[]) => Promise<unknown>;

/** Sends payloads over this pool. */
export function notifyOn(db: Db): Notify {
  return (payloads) => sharedRowsOf(db, notifySql, [channel, payloads]);
}

/**
 * Sends wake-ups in their own statement, after the commit: the first at once, then at most one per
 * topic and 5 ms. NOTIFY takes a database-wide lock, so a write transaction must never contain it.
 * Those of one topic are sent one after the other, in call order.
 */
export function createNotifier(notify: Notify, log: Logger): Notifier {
  const planned = new Map<WakeTopic, Set<string>>();
  const sending = new Set<WakeTopic>();
  const send = async (topic: WakeTopic, words: readonly string[]): Promise<void> => {
    try {
      await notify(payloadsOf(topic, words));
    } catch (thrown) {
      log.debug({ topic, reason: toError(thrown).message }, "wake.not_sent");
    }
  };
  const take = (topic: WakeTopic): Set<string> | undefined => {
    const words = planned.get(topic);
    planned.delete(topic);
    return words;
  };
  /** Waits until the next statement is allowed, or not at all after a slow one. */
  const drain = async (topic: WakeTopic): Promise<void> => {
    for (let words = take(topic); words !== undefined; words = take(topic)) {
      const nextAtMs = performance.now() + coalesceMs;
      await send(topic, [...words]);
      const restMs = nextAtMs - performance.now();
      if (restMs > 0) {
        await sleep(restMs);
      }
    }
    sending.delete(topic);
  };
  return {
    wake: (topic, word) => {
      const words = planned.get(topic) ?? new Set();
      if (word !== undefined) {
        words.add(word);
      }
      planned.set(topic, words);
      if (!sending.has(topic)) {
        sending.add(topic);
        setImmediate(() => void drain(topic)); // with those of the same turn of the event loop
      }
    },
  };
}

/** Payloads are limited to 8,000 bytes. */
const wordsAtOnce = 80;

function payloadsOf(topic: WakeTopic, words: readonly string[]): string[] {
  if (words.length === 0) {
    return [topic];
  }
  const payloads: string[] = [];
  for (let start = 0; start < words.length; start += wordsAtOnce) {
    payloads.push([topic, ...words.slice(start, start + wordsAtOnce)].join(" "));
  }
  return payloads;
}

const reconnectMs = 500;

/**
 * Listens on its own connection. Reconnects for ever, and wakes every listener afterwards, because
 * notifications were lost meanwhile.
 */
export function startListener(options: pg.ClientConfig, log: Logger): Listener {
  const stop = new AbortController();
  const wakers = new Map<WakeTopic, Set<(words: readonly string[]) => void>>();
  let current: pg.Client | undefined;

  const wakeAll = (payload = ""): void => {
    const [topic, ...words] = payload.split(" ");
    for (const [name, callbacks] of wakers) {
      if (topic === "" || topic === name) {
        callbacks.forEach((wake) => wake(words));
      }
    }
  };

  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client(options);
    const lost = new Promise<void>((resolve) => {
      // Not `once`: a server that shuts down sends an error and closes, which is a second error.
      client.on("error", () => resolve());
      client.once("end", () => resolve());
    });
    current = client;
    client.on("notification", (message) => wakeAll(message.payload));
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    wakeAll();
    await lost;
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await listenOnce();
      } catch (thrown) {
        log.debug({ reason: toError(thrown).message }, "wake.listener_lost");
      }
      await sleep(reconnectMs, stop.signal);
    }
  };

  const running = run();
  return {
    on: (topic, wake) => {
      wakers.set(topic, (wakers.get(topic) ?? new Set()).add(wake));
    },
    close: async () => {
      stop.abort();
      await current?.end().catch(() => undefined);
      await running;
    },
  };
}
