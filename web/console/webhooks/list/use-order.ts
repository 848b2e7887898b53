import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { sortBySeverity } from "../health-state.ts";
import type { LiveWebhook, Webhook } from "../types.ts";

/** Sorts by the given ids; newer webhooks follow, oldest first. Pure. */
export function inOrder(order: readonly number[], webhooks: readonly Webhook[]): Webhook[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Webhook): number => places.get(id) ?? places.size + id;
  return webhooks.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const nothingYet: ReadonlyMap<number, LiveWebhook> = new Map();

/**
 * Webhook ids by severity at the time when the page was opened. The order is frozen, so that rows
 * do not move under the pointer after a switch. undefined until its data is loaded.
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

/** Cached data from before the page was opened is being refetched, without a failure so far. */
function isRefetching({ isFetching, isFetchedAfterMount, failureCount }: UseQueryResult): boolean {
  return isFetching && !isFetchedAfterMount && failureCount === 0;
}
