import { expect } from "chai";
import { figuresOf, readFigures } from "../../../bench/figures/catalogue.ts";
import { partNames } from "../../../bench/plan.ts";
import { throughputOf } from "../../support/bench-results.ts";

describe("the headline figures", () => {
  it("exist for each part but the one that explains others, with unique keys", () => {
    for (const part of partNames) {
      const keys = figuresOf(part).map(({ key }) => key);
      expect(keys.length > 0, part).to.equal(part !== "statements");
      expect(keys, part).to.deep.equal([...new Set(keys)]);
    }
  });

  it("are absent if nothing was measured", () => {
    for (const part of partNames) {
      expect(readFigures(part, {}), part).to.deep.equal({});
    }
  });

  it("sum up the processes of the platform", () => {
    const figures = readFigures("throughput", { throughput: throughputOf(1_000, 300) });
    expect(figures["cpu"]).to.equal(520);
    expect(figures["cpu-delivery"]).to.equal(300);
  });

  it("compare a third of a long run with another one", () => {
    const flat = { first: 100, last: 150, growth: 1.5, slope: 1, isFlat: false };
    const soak = {
      ...{ minutes: 1, maxPerSecond: 100, perSecond: 70, deliveries: 4_200 },
      ...{ samples: [], latencies: [], memory: { "redis data": flat }, p99: flat },
    };
    const figures = readFigures("soak", { soak });
    expect(figures).to.deep.equal({ rate: 70, "memory-redis-data": 1.5, p99: 1.5 });
  });
});
