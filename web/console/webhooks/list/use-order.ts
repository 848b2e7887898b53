import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { sortBySeverity } from "../health-state.ts";
import type { LiveWebhook, Webhook } from "../types.ts";

/** The webhooks with these ids in their order; then what came since, the oldest first. Pure. */
export function inOrder(order: readonly number[], webhooks: readonly Webhook[]): Webhook[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Webhook): number => places.get(id) ?? places.size + id;
  return webhooks.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const nothingYet: ReadonlyMap<number, LiveWebhook> = new Map();

/**
 * The ids of webhooks, those in trouble first, as it was when the page was opened. It stays so: else
 * another webhook would come under the pointer of whoever has just switched one off. Undefined until
 * what the order is made from is there.
 */
export function useOrder(
  list: UseQueryResult<readonly Webhook[]>,
  live: UseQueryResult<ReadonlyMap<number, LiveWebhook>>,
): readonly number[] | undefined {
  const [order, setOrder] = useState<readonly number[]>();
  if (order === undefined && list.data !== undefined && ![list, live].some(isRefetching)) {
    setOrder(sortBySeverity(list.data, live.data ?? nothingYet).map(({ id }) => id));
  }
  return order;
}

/** What was there before the page was opened is being asked for again, and that has not failed. */
function isRefetching({ isFetching, isFetchedAfterMount, failureCount }: UseQueryResult): boolean {
  return isFetching && !isFetchedAfterMount && failureCount === 0;
}
