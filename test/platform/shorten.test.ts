import { expect } from "chai";
import { shorten } from "../../src/platform/shorten.ts";

describe("shortening a text", () => {
  it("leaves a text alone that is not too long", () => {
    expect(shorten("Zoë 😀", 6)).to.equal("Zoë 😀");
  });

  it("keeps the beginning of one that is", () => {
    expect(shorten("abcdef", 3)).to.equal("abc");
  });

  it("cuts no character in half", () => {
    expect(shorten("a😀b", 2)).to.equal("a");
    expect(shorten("a😀b", 3)).to.equal("a😀");
  });
});
