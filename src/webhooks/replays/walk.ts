/**
 * In: what a replay asks for, and how far it has come. Out: the next of it, in bounded steps.
 * Guarantee: a walk meets every event once, in the order of sequences and then of event ids, and
 * meets the same ones however often it is repeated: what ended, or came, after the replay was asked
 * for is not looked at. So what was counted is what is made, but for what is gone meanwhile.
 */
import type { Queryable } from "../../platform/db/pool.ts";
import type { Chunk, ChunkLimits, Scope } from "./chunk.ts";
import { readDeliveries } from "./deliveries-walk.ts";
import { readEvents } from "./events-walk.ts";
import type { Place } from "./model.ts";

/** The next part of a walk. One bounded read, but for the few probes that find its beginning. */
export async function readChunk(
  db: Queryable,
  scope: Scope,
  place: Place,
  limits: ChunkLimits,
): Promise<Chunk> {
  switch (place.phase) {
    case "deliveries":
      return readDeliveries(db, scope, { place, after: afterDeliveries(scope) }, limits);
    case "events":
      return readEvents(db, scope, place, limits);
    case "retries":
      return { found: [], next: startOf(scope) };
    case "end":
      return { found: [], next: place };
  }
}

/** Where a walk begins. */
export function startOf(scope: Pick<Scope, "criteria">): Place {
  return wantsDeliveries(scope) ? { phase: "deliveries", position: 0 } : afterDeliveries(scope);
}

function wantsDeliveries({ criteria }: Pick<Scope, "criteria">): boolean {
  return criteria.statuses.some((status) => status !== "never_attempted");
}

function afterDeliveries(scope: Pick<Scope, "criteria">): Place {
  return {
    phase: wantsEvents(scope) ? "events" : "end",
    position: 0,
  };
}

function wantsEvents({ criteria }: Pick<Scope, "criteria">): boolean {
  return criteria.statuses.includes("never_attempted");
}
