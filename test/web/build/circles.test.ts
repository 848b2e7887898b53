import { expect } from "chai";
import { listCircles, listImports } from "../../../web/build/circles.ts";

const manifest = {
  page: { file: "page.js", imports: ["frame", "base"] },
  frame: { file: "frame.js", imports: ["base"] },
  base: { file: "base.js" },
};

describe("the import graph of a build", () => {
  it("includes transitive imports", () => {
    expect([...listImports(manifest, "page")]).to.have.members(["frame", "base"]);
    expect([...listImports(manifest, "base")]).to.deep.equal([]);
    expect([...listImports(manifest, "nothing")]).to.deep.equal([]);
  });

  it("has no cycles; a cycle is reported with all its files and no others", () => {
    expect(listCircles(manifest)).to.deep.equal([]);
    const circular = { ...manifest, base: { file: "base.js", imports: ["frame"] } };
    expect(listCircles(circular)).to.have.members(["frame", "base"]);
  });
});
