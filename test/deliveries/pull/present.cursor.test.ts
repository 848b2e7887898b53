import { expect } from "chai";
import type { Problem } from "../../../src/contracts/problems.ts";
import { parseCursor, toCursor } from "../../../src/deliveries/pull/present.ts";

function reasonOf(cursor: string): string | undefined {
  try {
    parseCursor(7, cursor);
    return undefined;
  } catch (thrown) {
    return (thrown as Problem).errors[0]?.reason;
  }
}

describe("cursors", () => {
  it("decode to the encoded sequence", () => {
    for (const sequence of [0, 1, 100_000, Number.MAX_SAFE_INTEGER % 1e15]) {
      expect(parseCursor(7, toCursor(7, sequence))).to.equal(sequence);
    }
  });

  it("need no URL encoding", () => {
    expect(toCursor(123, 456_789)).to.match(/^[A-Za-z0-9_-]+$/);
  });

  it("are refused for another webhook or if invalid", () => {
    expect(reasonOf(toCursor(8, 1))).to.equal("unknown");
    for (const cursor of ["", "7.1", "nonsense", toCursor(7, 1).repeat(20)]) {
      expect(reasonOf(cursor), cursor).to.equal("format");
    }
  });
});
