import { expect } from "chai";
import { failureClasses } from "../../../../src/contracts/deliveries.ts";
import { failingKind } from "../../../../web/console/deliveries/health.ts";

describe("how a receiver fails", () => {
  it("is not called unreachable where it answers, whatever it says", () => {
    for (const last_code of [302, 404, 410, 429, 500, 503]) {
      expect(failingKind({ last_code, last_error: null })).to.equal("failing");
    }
  });

  it("is called unreachable where nothing came back", () => {
    const unreachable = failureClasses.filter(
      (last_error) => failingKind({ last_code: null, last_error }) === "unreachable",
    );
    expect(unreachable).to.deep.equal([
      ...["timeout_connect", "timeout_response", "dns", "refused", "reset", "unreachable", "tls"],
    ]);
  });

  it("is not known of failures from before it was written down", () => {
    expect(failingKind({ last_code: null, last_error: null })).to.equal("unknown");
  });
});
