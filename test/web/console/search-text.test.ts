import { expect } from "chai";
import { parseSearchText, writeSearchText } from "../../../web/console/search-text.ts";

describe("the query string of the console", () => {
  it("contains text only, even for values that look like JSON", () => {
    expect(parseSearchText("?open=12&on=true&q=a%20b")).to.deep.equal({
      open: "12",
      on: "true",
      q: "a b",
    });
  });

  it("round-trips, and omits undefined values", () => {
    const search = { open: "12", q: "a&b=c", state: undefined };
    expect(writeSearchText(search)).to.equal("?open=12&q=a%26b%3Dc");
    expect(parseSearchText(writeSearchText(search))).to.deep.equal({ open: "12", q: "a&b=c" });
    expect(writeSearchText({})).to.equal("");
  });
});
