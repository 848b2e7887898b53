import { expect } from "chai";
import { assessFlow } from "../../../../../web/console/deliveries/live/flow.ts";
import type { LiveView } from "../../../../../web/console/deliveries/live/types.ts";

function flow(delivered: number, failed: number) {
  return assessFlow({ delivered_per_second: delivered, failed_per_second: failed } as LiveView);
}

describe("the delivery status in one word", () => {
  it("is healthy only if nothing fails", () => {
    expect(flow(2_000, 0)).to.deep.equal({ meaning: "good", word: "flowing", share: 0 });
    expect(flow(1_960, 40)).to.deep.equal({ meaning: "neutral", word: "fail", share: 0.02 });
  });

  it("gets worse with the share of failures", () => {
    expect(flow(90, 10)).to.deep.equal({ meaning: "warn", word: "fail", share: 0.1 });
    expect(flow(1, 1)).to.deep.equal({ meaning: "bad", word: "fail", share: 0.5 });
  });

  it("is idle if nothing is sent", () => {
    expect(flow(0, 0)).to.deep.equal({ meaning: "neutral", word: "quiet", share: 0 });
  });
});
