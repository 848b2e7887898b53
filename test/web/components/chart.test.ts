import { expect } from "chai";
import { setFormatLanguage } from "../../../web/base/format.ts";
import {
  logRange,
  markSpace,
  roundMarks,
  withoutClipped,
} from "../../../web/components/chart/axis.ts";
import {
  drawnColumns,
  extentOf,
  lineRange,
  lonePoints,
  pointInWords,
  type ChartData,
} from "../../../web/components/chart/model.ts";
import { axisNames, pointName } from "../../../web/components/chart/times.ts";

const data: ChartData = {
  times: [10, 20, 30],
  series: [
    { name: "delivered", color: "good", values: [1, null, 3] },
    { name: "dead", color: "bad", values: [2, null, null] },
  ],
};

describe("chart data", () => {
  it("is stacked from the bottom and drawn from the top, and gaps remain gaps", () => {
    expect(drawnColumns(data, { isStacked: true, isLog: false })).to.deep.equal([
      [10, 20, 30],
      [3, null, 3],
      [1, null, 3],
    ]);
    expect(drawnColumns(data, { isStacked: false, isLog: false })).to.deep.equal([
      [10, 20, 30],
      [1, null, 3],
      [2, null, null],
    ]);
  });

  it("shows isolated points, which no line connects", () => {
    expect(lonePoints([1, null, 2, 3, null, null, 4])).to.deep.equal([0, 6]);
    expect(lonePoints([null, 5, undefined])).to.deep.equal([1]);
    expect(lonePoints([1, 2, 3])).to.deep.equal([]);
  });

  it("of a few seconds spans one minute, not half a year", () => {
    expect(lineRange(1_000, 1_000)).to.deep.equal([940, 1_000]);
    expect(lineRange(990, 1_000)).to.deep.equal([940, 1_000]);
    expect(lineRange(400, 1_000)).to.deep.equal([400, 1_000]);
  });

  it("has a text alternative for screen readers", () => {
    expect(extentOf([null, 4, 2, null])).to.deep.equal({ last: 2, least: 2, most: 4 });
    expect(extentOf([null])).to.equal(undefined);
    expect(pointInWords(data, 2, (value) => `${value} ms`)).to.equal("delivered 3 ms, dead –");
  });

  it("starts at 1 on a logarithmic scale, whose decades are complete", () => {
    const few = { times: [1, 2], series: [{ name: "p50", color: "accent", values: [0.4, null] }] };
    expect(drawnColumns(few as ChartData, { isStacked: false, isLog: true })).to.deep.equal([
      [1, 2],
      [1, null],
    ]);
    const ranges = {
      "12 480": logRange(12, 480),
      "10 100": logRange(10, 100),
      "100 100": logRange(100, 100),
      "0.2 0.9": logRange(0.2, 0.9),
      none: logRange(null, null),
    };
    expect(roundMarks([10, 20, 30, 50, 90, 100, 300, 500, 1_000])).to.deep.equal([
      ...[10, 20, null, 50, null, 100, null, 500, 1_000],
    ]);
    // Each of five decades with three labels would print them over each other.
    expect(roundMarks([10, 20, 50, 100, 500, 1_000, 200_000, 1_000_000])).to.deep.equal([
      ...[10, null, null, 100, null, 1_000, null, 1_000_000],
    ]);
    expect(ranges).to.deep.equal({
      ...{ "12 480": [10, 1_000], "10 100": [10, 100], "100 100": [100, 1_000] },
      ...{ "0.2 0.9": [1, 10], none: [1, 10] },
    });
  });
});

describe("the time axis", () => {
  const width = (text: string): number => text.length * 7;
  const from = Date.parse("2026-11-22T14:00:00Z") / 1_000;
  afterEach(() => setFormatLanguage("en"));

  const spans = { "5 min": 300, "1 h": 3_600, "24 h": 86_400, "30 d": 30 * 86_400 };
  for (const [name, seconds] of Object.entries(spans)) {
    for (const [language, wanted] of [
      ["en", ["en-US"]],
      ["en", ["en-GB"]],
      ["fr", ["fr-FR"]],
    ] as const) {
      it(`of ${name} has labels that never overlap, in ${wanted[0]}`, () => {
        setFormatLanguage(language, wanted);
        const plot = { from, to: from + seconds, width: 420 };
        const space = markSpace(plot, width);
        // The possible steps, of which the first one with enough space is used.
        const steps = [1, 5, 10, 15, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 86_400];
        const step = steps.find((one) => (one * plot.width) / seconds >= space) ?? 7 * 86_400;
        const apart = (step * plot.width) / seconds;
        const marks = [from, from + step, from + 2 * step];
        for (const mark of axisNames(marks, step)) {
          expect(width(mark), mark).to.be.lessThan(apart - 8);
        }
      });
    }
  }

  it("omits a label that would be truncated at its end", () => {
    const texts = withoutClipped(
      ["14:00", "14:05", "14:10"],
      { places: [0, 200, 400], width: 402, widthOf: width },
      8,
    );
    expect(texts).to.deep.equal(["14:00", "14:05", ""]);
  });

  it("labels a time to the second, in 24-hour format if usual, and a day without time", () => {
    setFormatLanguage("en", ["en-GB"]);
    expect(pointName(from, "moment")).to.match(/^22 Nov, \d\d:00:00$/u);
    expect(pointName(from, "day")).to.equal("Sun, 22 Nov 2026");
  });
});
