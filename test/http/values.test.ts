import { expect } from "chai";
import {
  parseScope,
  parseStart,
  parsePeriod,
  parseSwitch,
  parseBound,
} from "../../src/http/values.ts";

function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return (thrown as { details?: string }).details;
  }
}

describe("parsing of client values", () => {
  it("booleans have every documented spelling", () => {
    for (const on of [true, 1, "1", "true", "TRUE"]) {
      expect(parseSwitch("invite", on)).to.equal(true);
    }
    for (const off of [undefined, false, 0, "0", "False", ""]) {
      expect(parseSwitch("invite", off)).to.equal(false);
    }
    expect(faultOf(() => parseSwitch("invite", "yes"))).to.equal("Parameter invite");
    expect(faultOf(() => parseSwitch("invite", 2))).to.equal("Parameter invite");
  });

  it("scope is a comma-separated list that may contain sso", () => {
    expect(parseScope(undefined)).to.deep.equal({ wantsSso: false });
    expect(parseScope(" sso ,")).to.deep.equal({ wantsSso: true });
    expect(faultOf(() => parseScope("sso,all"))).to.equal("Parameter scope");
  });

  it("a start has a year of four digits", () => {
    expect(parseStart("2026-11-20T10:00:00Z").toISOString()).to.equal("2026-11-20T10:00:00.000Z");
    for (const wrong of ["", "tomorrow", "9999-01-01T00:00:00Z", "1969-12-31T23:00:00Z"]) {
      expect(faultOf(() => parseStart(wrong))).to.equal("Parameter startTime");
    }
  });

  it("a bound of a period is a day, a timestamp or absent", () => {
    expect(parseBound("since", "2026-11-20")).to.deep.equal(new Date("2026-11-20T00:00:00Z"));
    expect(parseBound("until", "2026-11-20")).to.deep.equal(new Date("2026-11-21T00:00:00Z"));
    expect(parseBound("until", "2026-11-20T10:00:00+01:00")).to.deep.equal(
      new Date("2026-11-20T09:00:00Z"),
    );
    expect([parseBound("since", undefined), parseBound("since", "")]).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect(() => parseBound("until", "soon")).to.throw(
      "it must be a day (2026-12-01) or a time in ISO 8601 with its offset",
    );
  });

  it("refuses a period that ends before it starts", () => {
    const at = "2026-11-20T10:00:00Z";
    expect(parsePeriod({ since: at, until: at }).until).to.deep.equal(new Date(at));
    const inverted = { since: at, until: "2026-11-20T09:59:59Z" };
    expect(() => parsePeriod(inverted)).to.throw("until must not be before since");
  });
});
