import { expect } from "chai";
import { gatherMsAfter } from "../../../src/pipeline/relay/relay.ts";

describe("the relay's wait for more events", () => {
  it("is none after few events, so that a single one is never delayed", () => {
    expect(gatherMsAfter({ count: 0, way: "decided" })).to.equal(0);
    expect(gatherMsAfter({ count: 3, way: "byRules" })).to.equal(0);
  });

  it("is shorter after a batch by rules, which costs one round trip", () => {
    expect(gatherMsAfter({ count: 16, way: "byRules" })).to.equal(4.5);
    expect(gatherMsAfter({ count: 16, way: "decided" })).to.equal(12);
  });

  it("is the shorter the more events the batch had, and none after a full one", () => {
    expect(gatherMsAfter({ count: 48, way: "decided" })).to.equal(4);
    expect(gatherMsAfter({ count: 64, way: "decided" })).to.equal(0);
    expect(gatherMsAfter({ count: 500, way: "byRules" })).to.equal(0);
  });
});
