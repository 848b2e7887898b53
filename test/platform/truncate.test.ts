import { expect } from "chai";
import { truncate } from "../../src/platform/truncate.ts";

describe("shortening a text", () => {
  it("leaves a text alone that is not too long", () => {
    expect(truncate("Zoë 😀", 6)).to.equal("Zoë 😀");
  });

  it("keeps the beginning of one that is", () => {
    expect(truncate("abcdef", 3)).to.equal("abc");
  });

  it("cuts no character in half", () => {
    expect(truncate("a😀b", 2)).to.equal("a");
    expect(truncate("a😀b", 3)).to.equal("a😀");
  });
});
