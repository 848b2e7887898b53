import { expect } from "chai";
import {
  afterNavigation,
  afterUpdate,
  initialText,
  pendingUpdate,
  type DebouncedText,
} from "../../../web/components/debounced-text.ts";

function type(typed: DebouncedText, text: string): DebouncedText {
  return { ...typed, text };
}
function ask(typed: DebouncedText): DebouncedText {
  return afterUpdate(typed, pendingUpdate(typed) ?? "nothing to ask");
}

describe("a debounced search field", () => {
  it("keeps letters typed before the address is updated", () => {
    const waiting = type(ask(type(initialText(""), "ab")), "abc");
    const arrived = afterNavigation(waiting, "ab");
    expect(arrived.text).to.equal("abc");
    expect(pendingUpdate(arrived)).to.equal("abc");
    expect(afterNavigation(ask(arrived), "abc").text).to.equal("abc");
  });

  it("keeps its text if the address skips an intermediate value", () => {
    const twice = ask(type(ask(type(initialText(""), "a")), "ab"));
    expect(afterNavigation(afterNavigation(twice, "a"), "ab").text).to.equal("ab");
    expect(afterNavigation(twice, "ab")).to.deep.equal({ text: "ab", value: "ab", sent: [] });
  });

  it("keeps a trailing space, which is not searched for", () => {
    const typed = ask(type(initialText(""), "ab "));
    expect(typed.sent).to.deep.equal(["ab"]);
    const arrived = afterNavigation(typed, "ab");
    expect(arrived.text).to.equal("ab ");
    expect(pendingUpdate(arrived)).to.equal(undefined);
  });

  it("follows the browser's back button without a new search", () => {
    const found = afterNavigation(ask(type(initialText(""), "ab")), "ab");
    const back = afterNavigation(type(found, "abc"), "");
    expect(back.text).to.equal("");
    expect(pendingUpdate(back)).to.equal(undefined);
    expect(afterNavigation(back, "ab").text).to.equal("ab");
  });

  it("follows the back button even while a search is running", () => {
    const waiting = ask(type(initialText("old"), "new"));
    expect(afterNavigation(waiting, "older")).to.deep.equal(initialText("older"));
  });

  it("searches again for the address after a different search", () => {
    const waiting = type(ask(type(initialText("ab"), "abc")), "ab");
    expect(pendingUpdate(waiting)).to.equal("ab");
  });
});
