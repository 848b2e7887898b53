import { expect } from "chai";
import { formatDuration } from "../../../web/loader/duration.ts";

describe("the duration of a call", () => {
  it("shows hours only if there are any", () => {
    expect(
      [0, 7_999, 187_000, 3_599_999, 3_600_000, 36_307_000, -5].map(formatDuration),
    ).to.deep.equal(["0:00", "0:07", "3:07", "59:59", "1:00:00", "10:05:07", "0:00"]);
  });
});
