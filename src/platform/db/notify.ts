import pg from "pg";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { sleep } from "../concurrency/sleep.ts";
import { rowsOf, type Db } from "./pool.ts";

const channel = "sightline_wake";

/**
 * Who is to wake: the relay (new events), the schedule (a subscription was switched on), the workers
 * of tasks, and the web processes that hold sockets.
 */
export type WakeTopic = "outbox" | "schedule" | "tasks" | "signalling";

export type Notifier = {
  /**
   * Wakes the listeners of a topic soon. Never throws, never waits: a lost wake-up is polled.
   * `word` says what to look at: ids, at most 60 characters, no space.
   */
  wake(topic: WakeTopic, word?: string): void;
};

export type Listener = {
  /** Calls back on every wake-up of the topic with its words, and without any after a reconnection. */
  on(topic: WakeTopic, wake: (words: readonly string[]) => void): void;
  close(): Promise<void>;
};

const coalesceMs = 5;

/** In one statement, however many: in the order in which they are given. */
const notifySql = "SELECT pg_notify(?, payload) FROM unnest(?::text[]) AS payload";

/**
 * Sends wake-ups in a statement of their own, after the commit and at most one per topic and
 * 5 ms: NOTIFY takes a lock over the whole database, so it must never ride in a write transaction.
 * Those of one topic go one after the other, in the order of the calls.
 */
export function createNotifier(db: Db, log: Logger): Notifier {
  const planned = new Map<WakeTopic, Set<string>>();
  const sending = new Set<WakeTopic>();
  const send = async (topic: WakeTopic, words: readonly string[]): Promise<void> => {
    try {
      await rowsOf(db, notifySql, [channel, payloadsOf(topic, words)]);
    } catch (thrown) {
      log.debug({ topic, reason: toError(thrown).message }, "wake.not_sent");
    }
  };
  const take = (topic: WakeTopic): Set<string> | undefined => {
    const words = planned.get(topic);
    planned.delete(topic);
    return words;
  };
  /** Ends no earlier than the next statement may follow; one that took long is followed at once. */
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
        setTimeout(() => void drain(topic), coalesceMs);
      }
    },
  };
}

/** A payload has less than 8,000 bytes. */
const wordsAtOnce = 100;

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
 * Listens on a connection of its own. A lost connection is made again, for ever; whatever was
 * missed meanwhile is covered by waking everybody after it.
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
      // Not once: a server that shuts down sends an error and then ends, which is a second one.
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
