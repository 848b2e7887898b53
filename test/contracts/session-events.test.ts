import { expect } from "chai";
import { sessionEventCodes } from "../../src/contracts/session-events.ts";

describe("the types of session events", () => {
  it("have one code each, in ascending order", () => {
    const codes = Object.values(sessionEventCodes);
    expect(codes).to.deep.equal([...new Set(codes)].toSorted((a, b) => a - b));
  });
});
