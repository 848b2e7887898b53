import { invalidParameter } from "../contracts/problems.ts";
import type { Scope } from "../contracts/permissions.ts";
import { createRequestLimiter } from "./limits.ts";
import type { TenantLimits } from "../platform/concurrency/limiters.ts";

export type Page = { limit: number; offset: number };

export type PageRule = { defaultLimit: number; maxLimit: number };

/** Larger offsets are useless and slow. Far below the overflow of an integer column. */
export const maxOffset = 1_000_000_000;

/**
 * One page of the matching items within reach, and the total. Throws `rate_limited` if too many
 * searches are running.
 */
export type BoundedSearch<Filter, Sort, Item> = (
  scope: Scope,
  filter: Filter,
  page: Sort & Page,
) => Promise<{ total: number; items: Item[] }>;

/** Parses paging parameters. A limit above the maximum is rejected, not capped. */
export function parsePage(
  query: { limit?: number; offset?: number },
  { defaultLimit, maxLimit }: PageRule,
): Page {
  const { limit = defaultLimit, offset = 0 } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw invalidParameter("limit", "range", `The limit must be between 1 and ${maxLimit}.`);
  }
  if (!Number.isInteger(offset) || offset < 0 || offset > maxOffset) {
    throw invalidParameter("offset", "range", `The offset must be between 0 and ${maxOffset}.`);
  }
  return { limit, offset };
}

/** `X-Total-Count`, and `Link` (RFC 8288) to the first, previous, next and last page. */
export function pageHeaders(url: string, page: Page, total: number): Record<string, string> {
  const { limit, offset } = page;
  // Where "next" ends, also from an offset that is not a multiple of the limit.
  const start = total > offset % limit ? offset % limit : 0;
  const lastOffset = Math.max(0, start + Math.floor((total - 1 - start) / limit) * limit);
  const links = [linkTo(url, { limit, offset: 0 }, "first")];
  if (offset > 0) {
    links.push(
      linkTo(url, { limit, offset: Math.max(0, Math.min(offset - limit, lastOffset)) }, "prev"),
    );
  }
  if (offset + limit < total) {
    links.push(linkTo(url, { limit, offset: offset + limit }, "next"));
  }
  links.push(linkTo(url, { limit, offset: lastOffset }, "last"));
  return { "X-Total-Count": String(total), Link: links.join(", ") };
}

function linkTo(url: string, { limit, offset }: Page, relation: string): string {
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
  query.set("limit", String(limit));
  query.set("offset", String(offset));
  return `<${path}?${query.toString()}>; rel="${relation}"`;
}

type HasSearch = Readonly<{ search: unknown }>;

type SearchStore<Filter, Sort, Item> = Readonly<{
  list(scope: Scope, filter: Filter, page: Sort & Page): Promise<Item[]>;
  /** Total number of matches. */
  count(scope: Scope, filter: Filter): Promise<number>;
}>;

/** `limits`: concurrent searches per enterprise and per process. */
export function createBoundedSearch<Filter extends HasSearch, Sort, Item>(
  { list, count }: SearchStore<Filter, Sort, Item>,
  limits: TenantLimits,
): BoundedSearch<Filter, Sort, Item> {
  // A search reads many rows. The limit keeps database connections free for other requests.
  const limitSearches = createRequestLimiter(
    limits,
    "Too many concurrent searches. Wait until one has finished.",
  );
  const readPage: BoundedSearch<Filter, Sort, Item> = async (scope, filter, page) => {
    const items = await list(scope, filter, page);
    const total = knownTotal(page, items.length) ?? (await count(scope, filter));
    return { total, items };
  };
  return (scope, filter, page) =>
    filter.search === undefined
      ? readPage(scope, filter, page)
      : limitSearches(scope.enterpriseId, () => readPage(scope, filter, page));
}

/** The total, if the page is not full and so reveals it. */
export function knownTotal({ limit, offset }: Page, found: number): number | undefined {
  return found < limit && (found > 0 || offset === 0) ? offset + found : undefined;
}
