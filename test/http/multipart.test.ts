import { expect } from "chai";
import { cleanFilename } from "../../src/http/multipart.ts";

describe("the name of an uploaded file", () => {
  it("keeps its extension if it is too long", () => {
    const long = cleanFilename(`${"a".repeat(300)}.txt`);
    expect(long).to.have.length(255);
    expect(long.endsWith("a.txt")).to.equal(true);
    expect(cleanFilename(`a.${"b".repeat(300)}`)).to.equal(`a.${"b".repeat(253)}`);
  });
});
