import { expect } from "chai";
import { parseSearchText, writeSearchText } from "../../../web/console/search-text.ts";

describe("what stands behind the question mark", () => {
  it("is text, whatever it looks like", () => {
    expect(parseSearchText("?open=12&on=true&q=a%20b")).to.deep.equal({
      open: "12",
      on: "true",
      q: "a b",
    });
  });

  it("is written as it is read, without what is not given", () => {
    const search = { open: "12", q: "a&b=c", state: undefined };
    expect(writeSearchText(search)).to.equal("?open=12&q=a%26b%3Dc");
    expect(parseSearchText(writeSearchText(search))).to.deep.equal({ open: "12", q: "a&b=c" });
    expect(writeSearchText({})).to.equal("");
  });
});
