import { expect } from "chai";
import { pageOf, pageQuery, pageSize } from "../../../web/base/paging.ts";

describe("the page number in the address", () => {
  it("selects the page, by default the first", () => {
    expect(pageOf("3")).to.equal(3);
    expect(pageOf(undefined)).to.equal(1);
  });

  for (const nonsense of ["", "0", "-2", "1.5", "x", "Infinity", "1e9"]) {
    it(`falls back to the first page for "${nonsense}"`, () => {
      expect(pageOf(nonsense)).to.equal(1);
    });
  }

  it("becomes the offset of the request", () => {
    expect(pageQuery(undefined)).to.deep.equal({ limit: pageSize, offset: 0 });
    expect(pageQuery("3", 25)).to.deep.equal({ limit: 25, offset: 50 });
  });
});
