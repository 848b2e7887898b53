import pg from "pg";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { sleep, withTimeout } from "../concurrency/async.ts";
import { closeConnection, socketOf } from "./connection.ts";
import type { Db } from "./pool.ts";
import { preparedRowsOf } from "./prepared.ts";

/**
 * Who is woken: the relay (new events), the schedule (a subscription was switched on), the task
 * workers, and the web processes: those with sockets, and all that cache who a caller is.
 */
export const wakeTopics = ["outbox", "schedule", "tasks", "signalling", "identity"] as const;

export type WakeTopic = (typeof wakeTopics)[number];

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
  /** Whether wake-ups of the topic arrive: false while the connection is lost. */
  isListening(topic: WakeTopic): boolean;
  close(): Promise<void>;
};

const coalesceMs = 5;

/** A channel per topic: Postgres then wakes no process that waits for another one. */
function channelOf(topic: WakeTopic): string {
  return `sightline_${topic}`;
}

/** Sends any number of payloads in one statement, in their order. */
const notifySql = "SELECT pg_notify(?, payload) FROM unnest(?::text[]) AS payload";

/** Sends payloads to the listeners of a topic: words, separated by spaces. */
export type Notify = (topic: WakeTopic, payloads: readonly string[]) => Promise<unknown>;

/**
 * Sends payloads over this pool. The commit of a transaction that only notifies does not wait for the
 * disk. It waits for the lock of other commits with a NOTIFY on this server, maybe along with data,
 * so no read shares the connection.
 */
export function notifyOn(db: Db): Notify {
  return (topic, payloads) => preparedRowsOf(db, notifySql, [channelOf(topic), payloads]);
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
      await notify(topic, payloadsOf(words));
    } catch (thrown) {
      log.debug({ topic, reason: toError(thrown).message }, "wake.not_sent");
    }
  };
  /** When the next statement is allowed, in `performance.now()`. */
  const nextAtMs = new Map<WakeTopic, number>();
  /**
   * Waits until the next statement is allowed, or not at all after a slow one. While nothing is to be
   * sent, no timer runs: a timer after each wake-up would wake an almost idle process for nothing.
   */
  const drain = async (topic: WakeTopic): Promise<void> => {
    for (let words = planned.get(topic); words !== undefined; words = planned.get(topic)) {
      const restMs = (nextAtMs.get(topic) ?? 0) - performance.now();
      if (restMs > 0) {
        await sleep(restMs);
      }
      nextAtMs.set(topic, performance.now() + coalesceMs);
      planned.delete(topic);
      await send(topic, [...words]);
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
        queueMicrotask(() => void drain(topic)); // with those of the same commit
      }
    },
  };
}

/** Payloads are limited to 8,000 bytes. */
const wordsAtOnce = 80;

function payloadsOf(words: readonly string[]): string[] {
  if (words.length === 0) {
    return [""];
  }
  const payloads: string[] = [];
  for (let start = 0; start < words.length; start += wordsAtOnce) {
    payloads.push(words.slice(start, start + wordsAtOnce).join(" "));
  }
  return payloads;
}

/** The words of a payload. */
export function wordsOf(payload: string): string[] {
  return payload === "" ? [] : payload.split(" ");
}

const reconnectMs = 500;

/**
 * How often a connection that only listens is asked for an answer, and how long it may take. A host
 * or a firewall that is gone closes no connection, so silence alone does not tell.
 */
export type SilenceChecks = { askEveryMs: number; answerMs: number };

export const usualChecks: SilenceChecks = { askEveryMs: 15_000, answerMs: 5_000 };

/**
 * Listens on its own connection. Reconnects forever, and wakes every listener afterwards, because
 * notifications were lost in between.
 */
export function startListener(
  options: pg.ClientConfig,
  log: Logger,
  checks: SilenceChecks = usualChecks,
): Listener {
  const stop = new AbortController();
  const wakers = new Map<WakeTopic, Set<(words: readonly string[]) => void>>();
  let closing: (() => Promise<void>) | undefined;
  let connected: pg.Client | undefined;
  const listenedTopics = new Set<WakeTopic>();

  const wakeAll = (topic: WakeTopic, payload = ""): void =>
    wakers.get(topic)?.forEach((wake) => wake(wordsOf(payload)));

  /** Calls the listeners after LISTEN: whatever is sent from then on arrives. */
  const listenTo = async (client: pg.Client, topic: WakeTopic): Promise<void> => {
    await sendStatement(client, `LISTEN ${channelOf(topic)}`);
    if (client === connected) {
      listenedTopics.add(topic);
    }
    wakeAll(topic);
  };

  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client(options);
    onNotification(client, wakeAll);
    closing = () => closeConnection(client);
    try {
      await useUntilLost(client, checks, async () => {
        connected = client;
        for (const topic of wakers.keys()) {
          await listenTo(client, topic);
        }
      });
    } finally {
      connected = undefined;
      listenedTopics.clear();
    }
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
      const isNew = !wakers.has(topic);
      wakers.set(topic, (wakers.get(topic) ?? new Set()).add(wake));
      if (isNew && connected !== undefined) {
        // After a failure the connection is lost, and the next one listens to all topics.
        listenTo(connected, topic).catch(() => undefined);
      }
    },
    isListening: (topic) => listenedTopics.has(topic),
    close: async () => {
      stop.abort();
      await closing?.();
      await running;
    },
  };
}

const lastStatements = new WeakMap<pg.Client, Promise<unknown>>();

/** One at a time: node-postgres deprecates its own queue of statements. */
async function sendStatement(client: pg.Client, sql: string): Promise<void> {
  const previous = lastStatements.get(client) ?? Promise.resolve();
  const sent = previous.then(() => client.query(sql));
  lastStatements.set(
    client,
    sent.catch(() => undefined),
  );
  await sent;
}

/** Connects and calls `begin`. Resolves when the connection is lost or silent, and leaves it closed. */
async function useUntilLost(
  client: pg.Client,
  { askEveryMs, answerMs }: SilenceChecks,
  begin: () => Promise<void>,
): Promise<void> {
  const lost = lossOf(client);
  const timer = setInterval(() => void endIfSilent(client, answerMs), askEveryMs);
  try {
    await Promise.race([client.connect(), lost]); // closed meanwhile, it never connects
    await begin();
    await lost;
  } finally {
    clearInterval(timer);
    socketOf(client).destroy();
  }
}

async function endIfSilent(client: pg.Client, answerMs: number): Promise<void> {
  try {
    await withTimeout(sendStatement(client, "SELECT 1"), answerMs, "the listening connection");
  } catch {
    socketOf(client).destroy();
  }
}

/** Resolves when the connection is lost or closed. */
function lossOf(client: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    // Not `once`: a server that shuts down sends an error and closes, which is a second error.
    client.on("error", () => resolve());
    client.once("end", () => resolve());
  });
}

function onNotification(
  client: pg.Client,
  wake: (topic: WakeTopic, payload: string | undefined) => void,
): void {
  client.on("notification", ({ channel, payload }) => {
    const topic = wakeTopics.find((one) => channelOf(one) === channel);
    if (topic !== undefined) {
      wake(topic, payload);
    }
  });
}
