import { expect } from "chai";
import { parseRange } from "../../src/http/file-answers.ts";

const file = { bytes: 10, etag: '"v1"' };

function parse(headers: Record<string, string>, bytes = 10) {
  return parseRange({ header: (name) => headers[name] }, { ...file, bytes });
}

describe("requested byte range", () => {
  for (const [range, expected] of [
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=0-9", { start: 0, end: 9 }],
    ["bytes=3-", { start: 3, end: 9 }],
    ["bytes=-3", { start: 7, end: 9 }],
    ["bytes=-30", { start: 0, end: 9 }],
    ["bytes=9-99", { start: 9, end: 9 }],
    ["bytes=10-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=-", undefined],
    ["bytes=4-3", undefined],
    ["bytes=0-1,3-4", undefined],
    ["pages=1-2", undefined],
    ["", undefined],
  ] as const) {
    it(`of ten bytes is ${JSON.stringify(expected)} for "${range}"`, () => {
      expect(parse({ range })).to.deep.equal(expected);
    });
  }

  it("is the whole file without the header or if If-Range names another version", () => {
    expect(parse({})).to.equal(undefined);
    expect(parse({ range: "bytes=0-1", "if-range": '"v0"' })).to.equal(undefined);
    expect(parse({ range: "bytes=0-1", "if-range": '"v1"' })).to.deep.equal({ start: 0, end: 1 });
  });

  it("is never satisfiable in an empty file", () => {
    expect(parse({ range: "bytes=0-" }, 0)).to.equal("unsatisfiable");
    expect(parse({ range: "bytes=-1" }, 0)).to.equal("unsatisfiable");
  });
});
