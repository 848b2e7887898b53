import { expect } from "chai";
import { isSoon } from "../../../../web/console/tickets/next-deadline.ts";

const now = Date.parse("2026-11-23T10:00:00Z");

describe("the next deadline of a ticket", () => {
  it("is listed if it is soon, and for a planned meeting", () => {
    const is = (what: "starts" | "expires" | "closes", at: string) => isSoon({ what, at }, now);
    expect(is("expires", "2026-11-26T10:00:00Z")).to.equal(true);
    expect(is("expires", "2026-11-26T10:00:01Z")).to.equal(false);
    expect(is("closes", "2026-11-22T10:00:00Z")).to.equal(true);
    expect(is("starts", "2026-12-20T10:00:00Z")).to.equal(true);
  });
});
