import { expect } from "chai";
import { questionsOf, parseIntent } from "../../../../web/console/search/kinds.ts";

function askedFor(typed: string): string[] {
  return questionsOf(parseIntent(typed)).map(({ kind }) => kind);
}

describe("the requests of the global search", () => {
  it("read one list of tickets for a word, an address or a number", () => {
    expect(askedFor("Jane")).to.deep.equal(["reference", "meeting"]);
    expect(askedFor("jane@example.com")).to.deep.equal(["reference", "meeting"]);
    expect(askedFor("+33 6 12 34 56 78")).to.deep.equal(["reference", "meeting"]);
    expect(askedFor("0033612345678")).to.include("reference").and.not.include("phone");
  });

  it("read a second list for a number with two meanings", () => {
    expect(askedFor("+33 (0)6 12 34 56 78")).to.deep.equal(["reference", "phone", "meeting"]);
  });

  it("name the searched lists, without those that the role may not read", () => {
    const meetings = parseIntent("jane@example.com").filter(({ kind }) => kind === "meeting");
    expect(questionsOf(meetings)).to.deep.equal(meetings);
  });
});
