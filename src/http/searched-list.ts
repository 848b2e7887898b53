/** Lists in which a text can be searched for, which no index helps with. */
import type { Scope } from "../contracts/permissions.ts";
import { knownTotal, type Page } from "./paging.ts";
import { createTurnstile } from "./turnstile.ts";

/**
 * One page of the items within reach that match, and how many match in all. Throws `rate_limited`
 * where too many searches are under way.
 */
export type SearchedList<Filter, Sort, Item> = (
  scope: Scope,
  filter: Filter,
  page: Sort & Page,
) => Promise<{ total: number; items: Item[] }>;

type Searched = Readonly<{ search: unknown }>;

type Store<Filter, Sort, Item> = Readonly<{
  list(scope: Scope, filter: Filter, page: Sort & Page): Promise<Item[]>;
  /** How many match in all. */
  count(scope: Scope, filter: Filter): Promise<number>;
}>;

/** `limits`: how many searches may be under way, of one enterprise and in this process. */
export function createSearchedList<Filter extends Searched, Sort, Item>(
  { list, count }: Store<Filter, Sort, Item>,
  limits: Readonly<{ perEnterprise: number; inAll: number }>,
): SearchedList<Filter, Sort, Item> {
  // A search reads many rows: a few at once must not leave the others without a connection.
  const ask = createTurnstile(limits, "Too many searches at once. Wait for the answer to one.");
  const look: SearchedList<Filter, Sort, Item> = async (scope, filter, page) => {
    const items = await list(scope, filter, page);
    const total = knownTotal(page, items.length) ?? (await count(scope, filter));
    return { total, items };
  };
  return (scope, filter, page) =>
    filter.search === undefined
      ? look(scope, filter, page)
      : ask(scope.enterpriseId, () => look(scope, filter, page));
}
