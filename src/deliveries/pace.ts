/** The pace of queries that evaluate thousands of events in one request. */
import { createEventLoopYielder } from "../platform/concurrency/async.ts";

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
