import { expect } from "chai";
import {
  drawnColumns,
  extentOf,
  lineRange,
  lonePoints,
  pointInWords,
  type ChartData,
} from "../../../web/components/chart/model.ts";

const data: ChartData = {
  times: [10, 20, 30],
  series: [
    { name: "delivered", color: "good", values: [1, null, 3] },
    { name: "dead", color: "bad", values: [2, null, null] },
  ],
};

describe("the numbers of a chart", () => {
  it("are stacked from the bottom, drawn from the top, and a gap stays a gap", () => {
    expect(drawnColumns(data, true)).to.deep.equal([
      [10, 20, 30],
      [3, null, 3],
      [1, null, 3],
    ]);
    expect(drawnColumns(data, false)).to.deep.equal([
      [10, 20, 30],
      [1, null, 3],
      [2, null, null],
    ]);
  });

  it("are seen where they stand alone: a line leads to others only", () => {
    expect(lonePoints([1, null, 2, 3, null, null, 4])).to.deep.equal([0, 6]);
    expect(lonePoints([null, 5, undefined])).to.deep.equal([1]);
    expect(lonePoints([1, 2, 3])).to.deep.equal([]);
  });

  it("of a few moments are shown within a minute, not stretched over half a year", () => {
    expect(lineRange(1_000, 1_000)).to.deep.equal([940, 1_000]);
    expect(lineRange(990, 1_000)).to.deep.equal([940, 1_000]);
    expect(lineRange(400, 1_000)).to.deep.equal([400, 1_000]);
  });

  it("are told in words to who cannot see them", () => {
    expect(extentOf([null, 4, 2, null])).to.deep.equal({ last: 2, least: 2, most: 4 });
    expect(extentOf([null])).to.equal(undefined);
    expect(pointInWords(data, 2, (value) => `${value} ms`)).to.equal("delivered 3 ms, dead –");
  });
});
