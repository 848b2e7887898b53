import { expect } from "chai";
import { addView, isSameSearch, readViews } from "../../../web/components/views.ts";

describe("saved views of a list", () => {
  it("are equal if they have the same filters, in any order", () => {
    expect(isSameSearch({ a: "1", b: "2" }, { b: "2", a: "1", c: undefined })).to.equal(true);
    expect(isSameSearch({ a: "1" }, { a: "2" })).to.equal(false);
    expect(isSameSearch({}, { a: "1" })).to.equal(false);
  });

  it("replace one of the same name, and are limited in number", () => {
    const first = { name: "Mine", search: { agent: "me" } };
    const second = { name: "Mine", search: { agent: "you" } };
    expect(addView(addView([], first), second)).to.deep.equal([second]);
    const many = Array.from({ length: 30 }, (_, n) => ({ name: `View ${n}`, search: {} }));
    const kept = addView(many, first);
    expect(kept).to.have.length(20);
    expect(kept.at(-1)).to.deep.equal(first);
  });

  it("ignore other stored values", () => {
    const view = { name: "Mine", search: { agent: "me" } };
    expect(
      readViews(JSON.stringify([view, 7, null, { name: "x", search: { a: 1 } }])),
    ).to.deep.equal([view]);
    for (const text of [undefined, "", "{", "{}", "null"]) {
      expect(readViews(text)).to.deep.equal([]);
    }
  });
});
