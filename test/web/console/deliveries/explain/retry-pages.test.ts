import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect } from "chai";
import { retryPages } from "../../../../../web/console/deliveries/explain/retry-pages.ts";

describe("the retry of a query in pages", () => {
  const queries = new QueryClient();
  afterEach(() => queries.clear());

  /** Pages up to `last`; each request answers its number, or fails if `failing` contains it. */
  function observe(last: number, failing: readonly number[]) {
    let requests = 0;
    return new InfiniteQueryObserver(queries, {
      queryKey: ["pages"],
      queryFn: ({ pageParam }) => {
        requests += 1;
        return failing.includes(requests)
          ? Promise.reject(new Error("failed"))
          : Promise.resolve({ page: pageParam, request: requests });
      },
      initialPageParam: 1,
      getNextPageParam: ({ page }) => (page < last ? page + 1 : undefined),
      retry: false,
    });
  }

  it("compares again after a failed comparison of the whole", async () => {
    const pages = observe(1, [2]);
    await pages.refetch();
    expect((await pages.refetch()).isError).to.equal(true);
    await retryPages(pages.getCurrentResult());
    expect(pages.getCurrentResult().data?.pages).to.deep.equal([{ page: 1, request: 3 }]);
  });

  it("continues after a failed next page", async () => {
    const pages = observe(2, [2]);
    await pages.refetch();
    expect((await pages.fetchNextPage()).isFetchNextPageError).to.equal(true);
    await retryPages(pages.getCurrentResult());
    expect(pages.getCurrentResult().data?.pages).to.deep.equal([
      { page: 1, request: 1 },
      { page: 2, request: 3 },
    ]);
  });
});
