import { expect } from "chai";
import { pages, views } from "../../../web/build/pages.ts";

describe("the pages that are built", () => {
  it("are each looked at first in some way, so that none is larger than its bound unseen", () => {
    const folders = pages.map(({ folder }) => folder);
    const measured = new Set(views.map(({ folder }) => folder));
    expect(folders.filter((folder) => !measured.has(folder))).to.deep.equal([]);
    expect([...measured].filter((folder) => !folders.includes(folder))).to.deep.equal([]);
  });
});
