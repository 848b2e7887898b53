/**
 * What could be handed out, in the two classes that have an index each. The texts are the
 * predicates of those indexes, about the row `d` of `deliveries`: put otherwise, the planner would
 * not see that it may use them.
 */

/** First attempts of what the relay made. */
export const firstAttemptsSql =
  "d.state = 'pending' AND d.waits_for IS NULL AND d.replay_id IS NULL";

/** Retries, and the first attempts of replays. */
export const laterAttemptsSql = `d.waits_for IS NULL
  AND (d.state = 'retry' OR (d.state = 'pending' AND d.replay_id IS NOT NULL))`;
