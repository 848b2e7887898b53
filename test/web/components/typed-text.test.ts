import { expect } from "chai";
import {
  afterArrival,
  afterAsking,
  startTyped,
  toAsk,
  type TypedText,
} from "../../../web/components/typed-text.ts";

function type(typed: TypedText, text: string): TypedText {
  return { ...typed, text };
}
function ask(typed: TypedText): TypedText {
  return afterAsking(typed, toAsk(typed) ?? "nothing to ask");
}

describe("a text that is typed while the list is asked for it", () => {
  it("keeps the letters that came before the address said what was asked", () => {
    const waiting = type(ask(type(startTyped(""), "ab")), "abc");
    const arrived = afterArrival(waiting, "ab");
    expect(arrived.text).to.equal("abc");
    expect(toAsk(arrived)).to.equal("abc");
    expect(afterArrival(ask(arrived), "abc").text).to.equal("abc");
  });

  it("stays where the address says one asked text after the other, or skips one", () => {
    const twice = ask(type(ask(type(startTyped(""), "a")), "ab"));
    expect(afterArrival(afterArrival(twice, "a"), "ab").text).to.equal("ab");
    expect(afterArrival(twice, "ab")).to.deep.equal({ text: "ab", value: "ab", asked: [] });
  });

  it("keeps the blank after a word, which is not asked for", () => {
    const typed = ask(type(startTyped(""), "ab "));
    expect(typed.asked).to.deep.equal(["ab"]);
    const arrived = afterArrival(typed, "ab");
    expect(arrived.text).to.equal("ab ");
    expect(toAsk(arrived)).to.equal(undefined);
  });

  it("follows the browser's way back, and asks for nothing then", () => {
    const found = afterArrival(ask(type(startTyped(""), "ab")), "ab");
    const back = afterArrival(type(found, "abc"), "");
    expect(back.text).to.equal("");
    expect(toAsk(back)).to.equal(undefined);
    expect(afterArrival(back, "ab").text).to.equal("ab");
  });

  it("follows the way back also while something that was asked has not come", () => {
    const waiting = ask(type(startTyped("old"), "new"));
    expect(afterArrival(waiting, "older")).to.deep.equal(startTyped("older"));
  });

  it("asks again for what the address says while something else was asked", () => {
    const waiting = type(ask(type(startTyped("ab"), "abc")), "ab");
    expect(toAsk(waiting)).to.equal("ab");
  });
});
