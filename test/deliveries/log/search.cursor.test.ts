import { expect } from "chai";
import { Problem } from "../../../src/contracts/problems.ts";
import { decodeCursor, encodeCursor, fingerprintOf } from "../../../src/deliveries/log/search.ts";

function refusalOf(text: string, fingerprint: string): string {
  try {
    decodeCursor(text, fingerprint);
    return "none";
  } catch (thrown) {
    expect(thrown).to.be.instanceOf(Problem);
    const [fault] = (thrown as Problem).errors;
    expect((thrown as Problem).kind).to.equal("invalid_parameter");
    return `${fault?.field}: ${fault?.reason}`;
  }
}

function pack(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

describe("cursors of the delivery log", () => {
  const search = fingerprintOf([7, null, { states: ["dead"] }]);

  it("decode to the encoded position", () => {
    expect(decodeCursor(encodeCursor(4_711, search), search)).to.equal(4_711);
  });

  it("are refused by a different search and by another enterprise", () => {
    for (const other of [
      [7, null, { states: ["paused"] }],
      [8, null, { states: ["dead"] }],
      [7, 3, { states: ["dead"] }],
    ]) {
      const cursor = encodeCursor(4_711, fingerprintOf(other));
      expect(refusalOf(cursor, search)).to.equal("cursor: mismatch");
    }
  });

  for (const [what, text] of [
    ["no text of ours", "%%%"],
    ["no JSON", Buffer.from("{").toString("base64url")],
    ["no object", pack(null)],
    ["a list", pack([1])],
    ["another version", pack({ v: 2, b: 1, f: "" })],
    ["an id that is a text", pack({ v: 1, b: "1", f: "" })],
    ["an id below all", pack({ v: 1, b: 0, f: "" })],
    ["an id that is no integer", pack({ v: 1, b: 1.5, f: "" })],
    ["an id beyond all numbers", pack({ v: 1, b: 2 ** 60, f: "" })],
    ["empty", ""],
  ] as const) {
    it(`are rejected if they are ${what}`, () => {
      expect(refusalOf(text, search)).to.equal("cursor: format");
    });
  }
});
