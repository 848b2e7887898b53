import { expect } from "chai";
import {
  countNewer,
  pageOfRow,
  refreshPage,
  type LogPage,
  type Row,
} from "../../../../../web/console/deliveries/log/pages.ts";

function page(ids: readonly number[], next: string | null = "c", status = "retry"): LogPage {
  return {
    data: ids.map((id) => ({ id, status }) as Row),
    next_cursor: next,
    examined: ids.length,
    complete: true,
  };
}

describe("the pages of the delivery log", () => {
  it("keep their row order: values are updated, and rows that no longer match are marked", () => {
    const refreshed = refreshPage(page([9, 8, 7]), {
      ...page([11, 9, 7], "c", "delivered"),
    });
    expect(refreshed.data.map(({ id, status, gone }) => [id, status, gone])).to.deep.equal([
      [9, "delivered", undefined],
      [8, "retry", true],
      [7, "delivered", undefined],
    ]);
  });

  it("leave rows unmarked that the newer response does not cover", () => {
    const known = page([9, 8, 7]);
    expect(refreshPage(known, page([12, 11, 10]))).to.equal(known);
  });

  it("count new rows, and say if there may be more", () => {
    expect(countNewer(page([9, 8]).data, page([11, 10, 9]))).to.deep.equal({
      count: 2,
      isAll: true,
    });
    expect(countNewer(page([9]).data, page([12, 11, 10]))).to.deep.equal({
      count: 3,
      isAll: false,
    });
  });

  it("find the page of a row", () => {
    const pages = [page([9, 8]), page([]), page([7])];
    expect([0, 1, 2, 3].map((row) => pageOfRow(pages, row))).to.deep.equal([0, 0, 2, 2]);
  });
});
