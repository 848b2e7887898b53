import { expect } from "chai";
import { figuresOf, readFigures } from "../../../bench/figures/catalogue.ts";
import { historySizeCharts } from "../../../bench/report/charts.ts";
import { historySizeTable } from "../../../bench/report/size-tables.ts";
import type { SizePhase, SizeRound } from "../../../bench/scenarios/history-size.ts";

describe("a long history beside an empty one", () => {
  /** All figures grow with `value`; the CPU of the receiver, which belongs to the bench, does not. */
  const phase = (name: string, value: number): SizePhase => ({
    name,
    bareLoop: { perSecond: 10_000, cpuUsPerPost: 40, postMs: 0.1 },
    drain: {
      ...{ deliveries: 100, perSecond: value, steadyPerSecond: value, otherCores: 0 },
      cpuUsPerDelivery: { delivery: value, postgres: value, receiver: 77 },
      peakMemoryMb: {},
    },
    sustained: { perSecond: value, deliveries: 100, cpuUsPerDelivery: {}, otherCores: 0 },
    quiet: { fromCommitMs: { p50: value, p95: value, p99: value, max: value } },
  });
  const round = (empty: number, filled: number): SizeRound => ({
    empty: phase("nothing at first", empty),
    filled: phase("attempts", filled),
  });
  // The median of the ratios is 1.35; the ratio of the medians would be 0.95.
  const behind = [round(100, 190), round(200, 270), round(300, 90)];
  const waiting = [round(100, 110), round(100, 120), round(100, 100)];
  const historySize = { rows: 1_000_000, fillMinutes: 1, gigabytes: 2, behind, waiting };

  it("is shown with the median, the lowest and the highest ratio of the rounds", () => {
    const { title, rows } = historySizeTable(historySize);
    expect(title).to.include("medians of 3");
    expect(rows.map(([name, drain, ratio, cpu]) => [name, drain, ratio, cpu])).to.deep.equal([
      ["nothing at first", 200, "", 400],
      ["attempts", 190, "× 1.35 (0.30–1.90)", 380],
      ["nothing at first", 100, "", 200],
      ["attempts", 110, "× 1.10 (1.00–1.20)", 220],
    ]);
  });

  it("has one ratio without a range after a single round", () => {
    const { rows } = historySizeTable({ ...historySize, waiting: [round(100, 110)] });
    expect(rows.at(-1)?.[2]).to.equal("× 1.10");
  });

  it("is recorded with the medians of the ratios, without the receiver", () => {
    const figures = readFigures("history-size", { historySize });
    const all = figuresOf("history-size");
    expect(Object.keys(figures)).to.deep.equal(all.map(({ key }) => key));
    expect(figures).to.include({ "behind-drain": 1.35, "behind-cpu": 1.35, "waiting-p99": 1.1 });
    expect(all.find(({ key }) => key === "behind-drain")?.better).to.equal("higher");
    expect(all.find(({ key }) => key === "behind-cpu")?.better).to.equal("lower");
  });

  it("is drawn beside the empty one", () => {
    const [drains] = historySizeCharts(historySize);
    expect(drains).to.deep.include({
      bars: [
        { name: "nothing at first", value: 200, isBaseline: true },
        { name: "attempts", value: 190, isBaseline: false },
        { name: "nothing at first", value: 100, isBaseline: true },
        { name: "attempts", value: 110, isBaseline: false },
      ],
    });
  });
});
