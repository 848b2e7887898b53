import { expect } from "chai";
import { figuresOf, readFigures } from "../../../bench/figures/catalogue.ts";
import { bareChainTables } from "../../../bench/report/bare-chain-tables.ts";
import type { SingleChanges } from "../../../bench/scenarios/bare-chain.ts";

describe("single changes beside the bare chain", () => {
  const system = (factor: number): SingleChanges => ({
    cpuUsPerChange: { web: 1_000 * factor, postgres: 2_000 * factor, receiver: 500 },
    answerMs: { p50: factor, p95: 2, p99: 3, max: 4 },
    arrivalMs: { p50: 5 * factor, p95: 7, p99: 8, max: 9 },
    otherCores: 0,
  });
  const result = {
    ...{ rounds: 3, ratios: { cpu: 2.1, arrival: 1.9 } },
    ...{ platform: system(2), chain: system(1) },
  };

  it("count the processes of each system, not the receiver", () => {
    const [costs, times] = bareChainTables(result);
    expect(costs?.rows.map(([name, all, web]) => [name, all, web])).to.deep.equal([
      ["platform", 6_000, 2_000],
      ["bare chain", 3_000, 1_000],
    ]);
    expect(costs?.title).to.include("2.10");
    expect(times?.rows[0]).to.deep.equal(["platform", 2, 2, 10, 7]);
  });

  it("are recorded with the ratios of the rounds, not of the medians", () => {
    const figures = readFigures("bare-chain", { bareChain: result });
    expect(Object.keys(figures)).to.deep.equal(figuresOf("bare-chain").map(({ key }) => key));
    expect(figures).to.include({ cpu: 6_000, "chain-cpu": 3_000, "cpu-ratio": 2.1, arrival: 10 });
  });
});
