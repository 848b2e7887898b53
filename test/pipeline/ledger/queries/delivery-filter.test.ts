import { expect } from "chai";
import { noFilter, queryPlanOf } from "../../../../src/pipeline/ledger/queries/delivery-filter.ts";

describe("query plans of filters", () => {
  it("use a lookup for rare states, else the newest deliveries", () => {
    const few = queryPlanOf({ ...noFilter, states: ["retry", "dead"] });
    expect(few).to.deep.include({
      lookup: "live",
      unindexed: { kind: "given_up", values: ["dead"] },
    });
    expect(few.fallback.kind).to.equal("all");
    expect(queryPlanOf({ ...noFilter, states: ["retry", "delivered"] }).lookup).to.equal(undefined);
    expect(queryPlanOf({ ...noFilter, states: ["dead"] })).to.deep.include({ lookup: undefined });
  });

  it("never omit successes that are requested beside failures", () => {
    expect(queryPlanOf({ ...noFilter, results: ["5xx"] }).fallback.kind).to.equal("failed");
    expect(queryPlanOf({ ...noFilter, results: ["5xx", "2xx"] }).fallback.kind).to.equal("all");
  });
});
