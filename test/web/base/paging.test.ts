import { expect } from "chai";
import { pageOf, pageQuery, pageSize } from "../../../web/base/paging.ts";

describe("the page that an address names", () => {
  it("is the one that is asked for, and the first one where none is", () => {
    expect(pageOf("3")).to.equal(3);
    expect(pageOf(undefined)).to.equal(1);
  });

  for (const nonsense of ["", "0", "-2", "1.5", "x", "Infinity", "1e9"]) {
    it(`is the first one where it says "${nonsense}"`, () => {
      expect(pageOf(nonsense)).to.equal(1);
    });
  }

  it("is asked for by how many rows come before it", () => {
    expect(pageQuery(undefined)).to.deep.equal({ limit: pageSize, offset: 0 });
    expect(pageQuery("3", 25)).to.deep.equal({ limit: 25, offset: 50 });
  });
});
