import { expect } from "chai";
import { isReused, phasesOf } from "../../../../../web/console/deliveries/detail/phases.ts";

describe("the phases of an attempt", () => {
  it("are in order, followed by the unaccounted time", () => {
    expect(phasesOf({ firstByte: 60, total: 84, connect: 10, dns: 4 })).to.deep.equal([
      { name: "dns", ms: 4 },
      { name: "connect", ms: 10 },
      { name: "firstByte", ms: 60 },
      { name: "rest", ms: 10 },
    ]);
  });

  it("are empty if only the total is known", () => {
    expect(phasesOf({ total: 5 })).to.deep.equal([]);
    expect(phasesOf(null)).to.deep.equal([]);
  });

  it("say if a connection was reused", () => {
    expect(isReused({ firstByte: 3, total: 4 })).to.equal(true);
    expect(isReused({ total: 4 })).to.equal(false);
  });
});
