import { QueryClient } from "@tanstack/react-query";
import { expect } from "chai";
import { refreshDeliveries } from "../../../../web/console/deliveries/queries.ts";

describe("the queries of the deliveries after a retry", () => {
  it("are invalidated, but not the loaded pages of the log", async () => {
    const queries = new QueryClient();
    const isInvalidated = (key: readonly string[]) => queries.getQueryState(key)?.isInvalidated;
    const [one, page, log] = ["one", "log-now", "log"].map((name) => ["deliveries", name]);
    for (const key of [one, page, log]) {
      queries.setQueryData(key ?? [], {});
    }
    await refreshDeliveries(queries);
    expect([one, page, log].map((key) => isInvalidated(key ?? []))).to.deep.equal([
      true,
      true,
      false,
    ]);
    queries.clear();
  });
});
