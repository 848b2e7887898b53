import { expect } from "chai";
import { describeError } from "../../src/platform/errors.ts";

describe("describeError", () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:5432");
  const table: [what: string, thrown: unknown, text: string][] = [
    ["an error", new Error("no room"), "no room"],
    ["what is no error", "no room", "no room"],
    [
      "causes",
      new Error("The database did not answer", { cause: refused }),
      "The database did not answer: connect ECONNREFUSED 127.0.0.1:5432",
    ],
    [
      "several reasons without a message",
      new AggregateError([refused, new Error("b")]),
      `${refused.message}; b`,
    ],
    [
      "a cause that repeats it",
      new Error("failed: no room", { cause: new Error("no room") }),
      "failed: no room",
    ],
    ["several lines", new Error("one\n  two"), "one two"],
    ["an error without a message", new TypeError(""), "TypeError"],
  ];
  for (const [what, thrown, text] of table) {
    it(`puts ${what} into one line`, () => {
      expect(describeError(thrown)).to.equal(text);
    });
  }

  it("ends with cyclic causes", () => {
    const error = new Error("round");
    error.cause = error;
    expect(describeError(error)).to.equal("round");
  });
});
