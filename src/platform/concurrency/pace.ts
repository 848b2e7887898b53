/** Long work in steps, which leaves time for others. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sleep } from "./async.ts";

const maxBusyMs = 15;

/**
 * For long synchronous work: call the returned function between its steps. It yields to the event
 * loop every 15 ms, so the steps must tolerate other code running between them.
 */
export function createEventLoopYielder(): () => Promise<void> {
  let busySinceMs = performance.now();
  return async () => {
    if (performance.now() - busySinceMs >= maxBusyMs) {
      await nextTurn();
      busySinceMs = performance.now();
    }
  };
}

const restFactor = 3;

const maxRestMs = 50;

/**
 * For background work on a machine that others need: call the returned function between its steps. It
 * waits three times as long as the last step took, so that the work takes a quarter of a core, until
 * the rests have taken `budgetMs` together.
 */
export function createRest(budgetMs: number, nowMs = () => performance.now()): () => Promise<void> {
  let startedMs = nowMs();
  let leftMs = budgetMs;
  return async () => {
    const restMs = Math.min(maxRestMs, restFactor * (nowMs() - startedMs), leftMs);
    if (restMs > 0) {
      leftMs -= restMs;
      await sleep(restMs);
    }
    startedMs = nowMs();
  };
}

/** The pace of work that evaluates thousands of items in one request. */
export type QueryPace = {
  /** Lets other requests run, if this one has held the event loop for long enough. */
  yieldToEventLoop: () => Promise<void>;
  /** Whether the answer must end here. */
  isOver: () => boolean;
};

export function createPace(budgetMs: number): QueryPace {
  const endsAt = performance.now() + budgetMs;
  return { yieldToEventLoop: createEventLoopYielder(), isOver: () => performance.now() >= endsAt };
}
