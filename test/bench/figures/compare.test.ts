import { expect } from "chai";
import { compare, isWorse, ratioToLoop } from "../../../bench/figures/compare.ts";
import {
  aPart,
  aRun,
  bareLoop,
  historyOf,
  machine,
  throughputOf,
} from "../../support/bench-results.ts";

function compareDrain(drain: number, history: ReturnType<typeof historyOf>, load = "full") {
  const compared = compare(aPart({ load }), { ...aRun(drain), history });
  const found = compared.find(({ figure }) => figure.key === "drain");
  expect(found).to.not.equal(undefined);
  return found!;
}

describe("figures of a part", () => {
  it("are a share of the bare loop's figure of the same unit", () => {
    expect(ratioToLoop(2_500, "per second", bareLoop)).to.equal(0.25);
    expect(ratioToLoop(100, "CPU µs", bareLoop)).to.equal(2);
    expect(ratioToLoop(5, "ms", bareLoop)).to.equal(50);
    expect(ratioToLoop(1.2, "times", bareLoop)).to.equal(undefined);
  });

  it("are worse after a change of more than 5 % in the wrong direction", () => {
    expect(isWorse("higher", -0.051)).to.equal(true);
    expect(isWorse("higher", -0.049)).to.equal(false);
    expect(isWorse("higher", 0.5)).to.equal(false);
    expect(isWorse("lower", 0.051)).to.equal(true);
    expect(isWorse("lower", -0.5)).to.equal(false);
  });

  it("are compared with the last entry, not with the best one", () => {
    const { change } = compareDrain(900, historyOf([2_000, 1_000]));
    expect(change).to.include({ last: 1_000, commit: "c1", isWorse: true });
    expect(change?.change).to.be.closeTo(-0.1, 1e-9);
    expect(compareDrain(990, historyOf([2_000, 1_000])).change?.isWorse).to.equal(false);
  });

  it("say how much the bare loop changed", () => {
    const faster = aPart({ bareLoop: { ...bareLoop, perSecond: 8_000 } });
    const [first] = compare(faster, { ...aRun(800), history: historyOf([1_000]) });
    expect(first?.change?.loopChange).to.be.closeTo(-0.2, 1e-9);
  });

  it("are not compared with another load or another machine", () => {
    expect(compareDrain(900, historyOf([1_000]), "quick").change).to.equal(undefined);
    const larger = historyOf([1_000], { machine: { ...machine, cores: 8 } });
    expect(compareDrain(900, larger).change).to.equal(undefined);
    const newer = historyOf([1_000], { machine: { ...machine, node: "v24.0.0", loadBefore: 2 } });
    expect(compareDrain(900, newer).change?.last).to.equal(1_000);
  });

  it("are not compared with their own run, nor with later ones", () => {
    const history = historyOf([1_000, 2_000, 3_000]);
    const run = aRun(2_000, { startedAt: history.entries[1]!.date });
    const [first] = compare(aPart(), { ...run, history });
    expect(first?.change?.last).to.equal(1_000);
    expect(first?.series).to.have.length(2);
  });

  it("have all their recorded values, the current one last", () => {
    const { series } = compareDrain(900, historyOf([2_000, 1_000]));
    expect(series.map(({ value }) => value)).to.deep.equal([2_000, 1_000, 900]);
  });

  it("are marked once: the sum is, its processes are not", () => {
    const history = historyOf([1_000]);
    history.entries[0]!.parts.throughput!.figures = { cpu: 420, "cpu-delivery": 200 };
    const run = aRun(1_000, { measured: { throughput: throughputOf(1_000, 400) } });
    const marked = compare(aPart(), { ...run, history }).filter(({ change }) => change?.isWorse);
    expect(marked.map(({ figure }) => figure.key)).to.deep.equal(["cpu"]);
  });
});
