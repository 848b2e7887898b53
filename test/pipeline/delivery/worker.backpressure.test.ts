import { expect } from "chai";
import { createBackpressure } from "../../../src/pipeline/delivery/worker.ts";

describe("backpressure", () => {
  const begin = () => {
    let ms = 0;
    const pressure = createBackpressure(() => ms);
    /**
     * Records a hundred fresh deliveries with this lag in one second, with or without late ones.
     */
    const second = (lagMs: number, { isDraining = false, count = 100 } = {}): boolean => {
      for (let i = 0; i < count; i += 1) {
        pressure.recordLag(lagMs);
      }
      if (isDraining) {
        pressure.recordLag(3_600_000);
      }
      ms += 1_001;
      pressure.recordLag(lagMs);
      return pressure.isOverloaded();
    };
    return { second };
  };

  it("is on when fresh deliveries start later than without a backlog", () => {
    const { second } = begin();
    for (let i = 0; i < 5; i += 1) {
      expect(second(40)).to.equal(false);
    }
    expect(second(48, { isDraining: true })).to.equal(false);
    expect(second(60, { isDraining: true })).to.equal(true);
    expect(second(45, { isDraining: true })).to.equal(false);
  });

  it("does not include a draining backlog in the baseline", () => {
    const { second } = begin();
    second(40);
    for (let i = 0; i < 200; i += 1) {
      expect(second(90, { isDraining: true })).to.equal(true);
    }
  });

  it("follows a machine that becomes slower", () => {
    const { second } = begin();
    second(40);
    for (let i = 0; i < 100; i += 1) {
      second(80);
    }
    expect(second(85, { isDraining: true })).to.equal(false);
  });

  it("is off without fresh deliveries", () => {
    const { second } = begin();
    expect(second(5_000, { isDraining: true, count: 3 })).to.equal(false);
  });
});
