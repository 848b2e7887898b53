/** Bulk actions on deliveries, in batches. */
import { api, call } from "../../../base/api.ts";

type Refusal = Readonly<{ id: number; detail: string }>;

export type Outcome = Readonly<{ done: number; refused: readonly Refusal[] }>;

export function replaySelection(ids: readonly number[]): Promise<Outcome> {
  return inParts(ids, async (part) => {
    const answer = await call(
      api.POST("/api/webhooks/deliveries/replay", { body: { deliveries: part } }),
    );
    return { done: answer.replayed.length, refused: answer.refused };
  });
}

/** Starts the next attempt of each delivery now. */
export function retrySelection(ids: readonly number[]): Promise<Outcome> {
  return inParts(ids, async (part) => {
    const answer = await call(
      api.POST("/api/webhooks/deliveries/retry", { body: { deliveries: part } }),
    );
    return { done: answer.retried.length, refused: answer.refused };
  });
}

/** Batch size limit of the API. */
const atOnce = 100;

async function inParts(
  ids: readonly number[],
  run: (part: number[]) => Promise<Outcome>,
): Promise<Outcome> {
  let outcome: Outcome = { done: 0, refused: [] };
  for (let start = 0; start < ids.length; start += atOnce) {
    const part = await run(ids.slice(start, start + atOnce));
    outcome = { done: outcome.done + part.done, refused: [...outcome.refused, ...part.refused] };
  }
  return outcome;
}
