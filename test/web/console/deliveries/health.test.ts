import { expect } from "chai";
import { failureClasses } from "../../../../src/contracts/deliveries.ts";
import { failingKind } from "../../../../web/console/deliveries/health.ts";

describe("the health of a receiver", () => {
  it("is not unreachable if the receiver answers, with any status", () => {
    for (const last_code of [302, 404, 410, 429, 500, 503]) {
      expect(failingKind({ last_code, last_error: null })).to.equal("failing");
    }
  });

  it("is unreachable without a response", () => {
    const unreachable = failureClasses.filter(
      (last_error) => failingKind({ last_code: null, last_error }) === "unreachable",
    );
    expect(unreachable).to.deep.equal([
      ...["timeout_connect", "timeout_response", "dns", "refused", "reset", "unreachable", "tls"],
    ]);
  });

  it("is unknown for failures stored without a class", () => {
    expect(failingKind({ last_code: null, last_error: null })).to.equal("unknown");
  });
});
