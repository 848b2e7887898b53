import { problem } from "../contracts/problems.ts";
import type { Queryable } from "../platform/db/pool.ts";
import { findSubscription, type StoredSubscription } from "./store.ts";

/** One of the enterprise's own subscriptions that is not deleted. Throws the problem otherwise. */
export async function requireSubscription(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<StoredSubscription> {
  const found = await findSubscription(db, enterpriseId, id);
  if (found === undefined) {
    throw notFound(id);
  }
  return found;
}

export function notFound(id: number): Error {
  return problem("not_found", `Webhook ${id} was not found.`);
}
