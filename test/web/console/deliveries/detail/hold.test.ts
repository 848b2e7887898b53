import { expect } from "chai";
import { holdOf } from "../../../../../web/console/deliveries/detail/hold.ts";

const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();

const health = {
  ...({ state: "ok", window: 1, failures_in_row: 0, last_code: null, last_error: null } as const),
  ...{ throttled_until: null, next_probe: null, warned: null, pulled_to: null, pulled_at: null },
};

describe("what keeps a due delivery from being sent", () => {
  it("is nothing while the receiver works", () => {
    expect(holdOf(health, at(90), true)).to.equal(undefined);
    expect(holdOf({ ...health, state: "failing" }, at(90), true)).to.equal(undefined);
  });

  it("is a pause that ends after the delivery is due", () => {
    const throttled = { ...health, state: "throttled", throttled_until: at(160) } as const;
    const hold = { verdict: "throttled", until: new Date(160_000) };
    expect(holdOf(throttled, at(90), true)).to.deep.equal(hold);
    expect(holdOf(throttled, at(130), false)).to.deep.equal(hold);
    expect(holdOf(throttled, at(200), false)).to.equal(undefined);
  });

  it("is an open circuit, also while a probe is under way", () => {
    const open = { ...health, state: "open", next_probe: at(110) } as const;
    const hold = { verdict: "circuit_open", until: new Date(110_000) };
    expect(holdOf(open, at(90), true)).to.deep.equal(hold);
    expect(holdOf(open, at(105), false)).to.deep.equal(hold);
    expect(holdOf(open, at(200), false)).to.equal(undefined);
    expect(holdOf({ ...open, next_probe: at(80) }, at(90), true)).to.deep.equal({
      verdict: "circuit_open",
      until: new Date(80_000),
    });
  });
});
