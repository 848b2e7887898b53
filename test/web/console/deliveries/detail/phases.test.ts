import { expect } from "chai";
import { isReused, phasesOf } from "../../../../../web/console/deliveries/detail/phases.ts";

describe("the phases of an attempt", () => {
  it("come in their order, with what none of them accounts for", () => {
    expect(phasesOf({ firstByte: 60, total: 84, connect: 10, dns: 4 })).to.deep.equal([
      { name: "dns", ms: 4 },
      { name: "connect", ms: 10 },
      { name: "firstByte", ms: 60 },
      { name: "rest", ms: 10 },
    ]);
  });

  it("are none where only the total is known", () => {
    expect(phasesOf({ total: 5 })).to.deep.equal([]);
    expect(phasesOf(null)).to.deep.equal([]);
  });

  it("say when an open connection was used", () => {
    expect(isReused({ firstByte: 3, total: 4 })).to.equal(true);
    expect(isReused({ total: 4 })).to.equal(false);
  });
});
