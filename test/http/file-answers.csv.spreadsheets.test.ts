import { expect } from "chai";
import { withoutFormulas } from "../../src/http/file-answers.ts";

describe("formulas in CSV", () => {
  for (const [text, expected] of [
    ["=1+1", "'=1+1"],
    ["+33612345678", "'+33612345678"],
    ["-", "'-"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["＝1", "'＝1"],
    ["\tx", "'\tx"],
    // A spreadsheet whose list separator is a comma also splits semicolon-separated files at
    // commas.
    ['x,=HYPERLINK("https://evil.example")', `x,'=HYPERLINK("https://evil.example")`],
    ["a;-1", "a;'-1"],
    // A quote after the comma quotes the cell that begins there.
    ['x,"=1+1,y', `x,"'=1+1,y`],
    ['x;"""=1+1', `x;"""'=1+1`],
    ["a\t@b", "a\t'@b"],
    ["a\r\n=1", "a\r\n'=1"],
  ] as const) {
    it(`are calculated nowhere: ${JSON.stringify(text)}`, () => {
      expect(withoutFormulas(text)).to.equal(expected);
    });
  }

  it("leave other texts unchanged", () => {
    for (const text of ["", "a = b", "Jean-Luc", "jane@example.com", "1, -2", "a,b;c"]) {
      expect(withoutFormulas(text)).to.equal(text);
    }
  });
});
