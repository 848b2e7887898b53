import { expect } from "chai";
import { createBackpressure } from "../../../src/pipeline/delivery/backpressure.ts";
import type { DrainPace } from "../../../src/pipeline/ledger/next-health.ts";

describe("backpressure", () => {
  const begin = () => {
    let ms = 0;
    const pressure = createBackpressure(() => ms);
    /**
     * Records a hundred fresh deliveries with this lag in one second, with or without late ones.
     */
    const second = (lagMs: number, { isDraining = false, count = 100 } = {}): DrainPace => {
      for (let i = 0; i < count; i += 1) {
        pressure.recordLag(lagMs);
      }
      if (isDraining) {
        pressure.recordLag(3_600_000);
      }
      ms += 1_001;
      pressure.recordLag(lagMs);
      return pressure.pace();
    };
    return { second, pressure };
  };

  it("reduces the pace when fresh deliveries start later than without a backlog", () => {
    const { second } = begin();
    for (let i = 0; i < 5; i += 1) {
      expect(second(40)).to.equal("full");
    }
    expect(second(48, { isDraining: true })).to.equal("careful");
    expect(second(60, { isDraining: true })).to.equal("reduced");
    expect(second(45, { isDraining: true })).to.equal("careful");
  });

  it("is careful from the first late delivery beside fresh ones", () => {
    const { second, pressure } = begin();
    expect(second(40)).to.equal("full");
    pressure.recordLag(3_600_000);
    expect(pressure.pace()).to.equal("careful");
  });

  it("does not include a draining backlog in the baseline", () => {
    const { second } = begin();
    second(40);
    for (let i = 0; i < 200; i += 1) {
      expect(second(90, { isDraining: true })).to.equal("reduced");
    }
  });

  it("follows a load that grew while a backlog drains, within minutes", () => {
    const { second } = begin();
    second(10);
    const paces = Array.from({ length: 300 }, () => second(20, { isDraining: true }));
    expect(new Set(paces.slice(0, 120))).to.deep.equal(new Set(["reduced"]));
    expect(new Set(paces.slice(240))).to.deep.equal(new Set(["careful"]));
  });

  it("never gets used to a backlog that delays the others by more than a tenth of a second", () => {
    const { second } = begin();
    second(10);
    for (let i = 0; i < 7_200; i += 1) {
      expect(second(125, { isDraining: true })).to.equal("reduced");
    }
  });

  it("follows a machine that becomes slower", () => {
    const { second } = begin();
    second(40);
    for (let i = 0; i < 100; i += 1) {
      second(80);
    }
    expect(second(85, { isDraining: true })).to.equal("careful");
  });

  it("soon forgets a disturbance", () => {
    const { second } = begin();
    second(40);
    for (let i = 0; i < 20; i += 1) {
      second(1_000);
    }
    for (let i = 0; i < 15; i += 1) {
      second(40);
    }
    expect(second(60, { isDraining: true })).to.equal("reduced");
  });

  it("is off without fresh deliveries", () => {
    const { second } = begin();
    expect(second(5_000, { isDraining: true, count: 3 })).to.equal("full");
  });
});
