import type { Result } from "ioredis";
import { sleep, withTimeout } from "../concurrency/async.ts";
import {
  type SilenceChecks,
  usualChecks,
  wordsOf,
  type Notify,
  type WakeTopic,
} from "../db/notify.ts";
import { toError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { QueueBackend } from "./job-queue.ts";
import { openRedis, openWorkerRedis, type RedisClient, type RedisQueues } from "./redis.ts";

/** The topic that every write wakes. The others are rare, and stay with Postgres. */
const topicOnRedis: WakeTopic = "outbox";

type Closable = { close: () => void };

/**
 * Publishes to the stand-in if there is one, else to the relay; returns how many have heard it. Asks
 * first, because a monitor that listens to all channels is not one of them. A user of Redis who may
 * not ask, or use the channel, wakes the relay.
 */
const wakeLua = `
local standIn, relay, payload = ARGV[1], ARGV[2], ARGV[3]
local listeners = redis.pcall('PUBSUB', 'NUMSUB', standIn)
if listeners[2] and listeners[2] > 0 then
  local heard = redis.pcall('PUBLISH', standIn, payload)
  if type(heard) == 'number' and heard > 0 then return heard end
end
return redis.call('PUBLISH', relay, payload)`;

declare module "ioredis" {
  interface RedisCommander<Context> {
    wakeRelay(standIn: string, relay: string, payload: string): Result<number, Context>;
  }
}

/**
 * Wakes the relay over Redis if a single Redis stores the queues. Postgres would run a statement
 * for it, and wake every process that listens to any topic. `overPostgres` sends the other topics,
 * and what no relay hears over Redis. A node of a cluster cannot say whether anybody hears.
 */
export function openNotify(
  backend: QueueBackend,
  overPostgres: Notify,
  log: Logger,
): Closable & { notify: Notify } {
  if (backend.kind !== "redis") {
    return { notify: overPostgres, close: () => undefined };
  }
  const [standIn, relay] = [channelOf(backend, "stand-in"), channelOf(backend, "relay")];
  let redis: RedisClient | undefined;
  const connect = (): RedisClient => {
    const opened = withErrorLog(openRedis(backend), log);
    opened.defineCommand("wakeRelay", { numberOfKeys: 0, lua: wakeLua });
    return opened;
  };
  const publish = async (payload: string): Promise<boolean> => {
    redis ??= connect(); // many processes never write an event
    try {
      return (await redis.wakeRelay(standIn, relay, payload)) > 0;
    } catch {
      return false;
    }
  };
  return {
    notify: async (topic, payloads) =>
      (topic === topicOnRedis && (await publish(payloads.join(" ")))) ||
      overPostgres(topic, payloads),
    close: () => redis?.disconnect(),
  };
}

/**
 * Calls back on every wake-up over Redis with its words, and without words after each reconnection,
 * because wake-ups were lost in between.
 */
export function listenOnRedis(
  backend: QueueBackend,
  wake: (words: readonly string[]) => void,
  log: Logger,
  checks: SilenceChecks = usualChecks,
): Closable {
  if (backend.kind !== "redis") {
    return { close: () => undefined };
  }
  const { redis, close } = openSubscriber(backend, wake, log, checks);
  redis.on("ready", () => wake([]));
  // Waits for Redis. After a lost connection the client subscribes again by itself.
  redis.subscribe(channelOf(backend, "relay")).catch((error: Error) => {
    log.debug({ reason: error.message }, "wake.not_subscribed");
  });
  return { close };
}

export type StandIn = {
  /** From now on this process hears nothing, for some seconds. Resolves once that is so. Never rejects. */
  handOver(): Promise<void>;
  close(): Promise<void>;
};

export type StandInCalls = {
  wake: (words: readonly string[]) => void;
  /** Called before each term; without it, the first wake-up would wait. */
  prepare: () => Promise<void>;
};

/**
 * How long a process stands in for the relay, and how long one waits that may not. After each further
 * hand-over it waits twice as long as before.
 */
export type StandInTimes = { termMs: number; takenMs: number; handedOverMs: number };

const usualTimes: StandInTimes = { termMs: 30_000, takenMs: 5_000, handedOverMs: 2_000 };

const maxDoublings = 2;

/** How long it is waited for Redis. Without a connection nothing is heard anyway. */
const patienceMs = 1_000;

/**
 * Stands in for the relay: calls back in its place on every wake-up over Redis with its words. If
 * several processes ask, one does so at a time. If it dies, its connection ends, and the relay is
 * woken again. If it hangs, the relay finds the events when it polls.
 */
export function standInForRelay(
  backend: QueueBackend,
  { wake, prepare }: StandInCalls,
  log: Logger,
  times: StandInTimes = usualTimes,
): StandIn {
  if (backend.kind !== "redis") {
    return { handOver: async () => undefined, close: async () => undefined };
  }
  const { redis, close } = openSubscriber(backend, wake, log, usualChecks);
  const channel = channelOf(backend, "stand-in");
  const stopped = new AbortController();
  let handedOver = new AbortController();
  let doublings = 0;

  /** Without a lock: if two processes find the place free, one of them leaves it after its term. */
  const isFree = async (): Promise<boolean> => (await redis.pubsub("NUMSUB", channel))[1] === 0;

  const listen = async (signal: AbortSignal): Promise<void> => {
    await prepare();
    if (!signal.aborted) {
      await redis.subscribe(channel);
      await sleep(vary(times.termMs), signal);
      await redis.unsubscribe(channel);
    }
  };

  /** Returns how long to wait for the next term. */
  const runTerm = async (): Promise<number> => {
    handedOver = new AbortController();
    const { signal } = handedOver;
    if (!(await isFree())) {
      return vary(times.takenMs);
    }
    await listen(signal);
    const pauseMs = times.handedOverMs * 2 ** doublings;
    doublings = signal.aborted ? Math.min(doublings + 1, maxDoublings) : 0;
    return signal.aborted ? pauseMs : 0;
  };

  let term: Promise<number> = Promise.resolve(0);
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      term = runTerm().catch((thrown: unknown) => {
        log.debug({ reason: toError(thrown).message }, "wake.no_stand_in");
        return vary(times.takenMs);
      });
      await sleep(await term, stopped.signal);
    }
  };
  const running = run();
  return {
    handOver: async () => {
      handedOver.abort();
      await withinPatience(term);
    },
    close: async () => {
      stopped.abort();
      handedOver.abort();
      await withinPatience(running);
      close();
    },
  };
}

async function withinPatience(work: Promise<unknown>): Promise<void> {
  await withTimeout(work, patienceMs, "Redis").catch(() => undefined);
}

/** Between three and five quarters, so that processes do not act at the same moment again. */
function vary(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}

/**
 * Replaces the connection if it is silent: it is asked regularly, and the client replaces a
 * connection that does not answer.
 */
function openSubscriber(
  backend: RedisQueues,
  wake: (words: readonly string[]) => void,
  log: Logger,
  { askEveryMs, answerMs }: SilenceChecks,
): Closable & { redis: RedisClient } {
  const redis = withErrorLog(openWorkerRedis(backend, answerMs), log);
  const timer = setInterval(() => {
    if (redis.status === "ready") {
      redis.ping().catch(() => undefined);
    }
  }, askEveryMs);
  redis.on("message", (_channel: string, payload: string) => wake(wordsOf(payload)));
  return {
    redis,
    close: () => {
      clearInterval(timer);
      redis.disconnect();
    },
  };
}

function withErrorLog(redis: RedisClient, log: Logger): RedisClient {
  return redis.on("error", (error: Error) => {
    log.debug({ reason: error.message }, "wake.redis_error");
  });
}

function channelOf({ namespace }: QueueBackend, listener: "relay" | "stand-in"): string {
  const channel = `${namespace}:wake:${topicOnRedis}`;
  return listener === "relay" ? channel : `${channel}:stand-in`;
}
