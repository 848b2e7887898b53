import { expect } from "chai";
import { questionsOf, parseIntent } from "../../../../web/console/search/kinds.ts";

function askedFor(typed: string): string[] {
  return questionsOf(parseIntent(typed)).map(({ kind }) => kind);
}

describe("what the search of the console asks for", () => {
  it("is one list of tickets for a word, an address or a number, not one for each", () => {
    expect(askedFor("Jane")).to.deep.equal(["reference", "meeting"]);
    expect(askedFor("jane@example.com")).to.deep.equal(["reference", "meeting"]);
    expect(askedFor("+33 6 12 34 56 78")).to.deep.equal(["reference", "meeting"]);
    expect(askedFor("0033612345678")).to.include("reference").and.not.include("phone");
  });

  it("is a list of its own for a number that the other would read otherwise", () => {
    expect(askedFor("+33 (0)6 12 34 56 78")).to.deep.equal(["reference", "phone", "meeting"]);
  });

  it("names all that was looked for where it is asked without what the role may not read", () => {
    const meetings = parseIntent("jane@example.com").filter(({ kind }) => kind === "meeting");
    expect(questionsOf(meetings)).to.deep.equal(meetings);
  });
});
