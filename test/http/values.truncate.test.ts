import { expect } from "chai";
import { truncate } from "../../src/http/values.ts";

describe("truncating a text", () => {
  it("keeps a short text", () => {
    expect(truncate("Zoë 😀", 6)).to.equal("Zoë 😀");
  });

  it("keeps the start of a long one", () => {
    expect(truncate("abcdef", 3)).to.equal("abc");
  });

  it("splits no surrogate pair", () => {
    expect(truncate("a😀b", 2)).to.equal("a");
    expect(truncate("a😀b", 3)).to.equal("a😀");
  });
});
