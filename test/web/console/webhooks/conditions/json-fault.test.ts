import { expect } from "chai";
import fc from "fast-check";
import { jsonFault } from "../../../../../web/console/webhooks/conditions/json-fault.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("the position of a JSON error", () => {
  it("is undefined for valid JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(jsonFault(JSON.stringify(value, null, indent))).to.equal(undefined);
      }),
    );
  });

  it("is defined for every other text", () => {
    const broken = fc
      .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom("", ",", "}", '"', "x", "\n", "01", "\\"))
      .map(([value, at, typed]) => {
        const text = JSON.stringify(value, null, 1);
        const place = at % (text.length + 1);
        return text.slice(0, place) + typed + text.slice(place + 1);
      });
    fc.assert(
      fc.property(broken, (text) => {
        expect(jsonFault(text) === undefined, text).to.equal(isJson(text));
      }),
    );
  });

  it("has line, column and the unexpected text", () => {
    const faults: [string, object][] = [
      ["{ not json", { line: 1, column: 3, found: "n" }],
      ['{\n  "a": 1,\n}', { line: 3, column: 1, found: "}" }],
      ['{ "a": "b"', { line: 1, column: 11, found: undefined }],
      ['{ "a": 01 }', { line: 1, column: 9, found: "1" }],
      ['{ "a": tru }', { line: 1, column: 8, found: "t" }],
      ["{} {}", { line: 1, column: 4, found: "{" }],
      ['{ "a": "\\x" }', { line: 1, column: 9, found: "\\" }],
    ];
    for (const [text, fault] of faults) {
      expect(jsonFault(text), text).to.deep.equal(fault);
    }
  });
});
