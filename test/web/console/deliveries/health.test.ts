import { expect } from "chai";
import { attemptErrors } from "../../../../web/console/deliveries/model.ts";
import { failingKind } from "../../../../web/console/deliveries/health.ts";

describe("how a receiver fails", () => {
  it("is not called unreachable where it answers, whatever it says", () => {
    for (const last_code of [302, 404, 410, 429, 500, 503]) {
      expect(failingKind({ last_code, last_error: null })).to.equal("failing");
    }
  });

  it("is called unreachable where nothing came back", () => {
    const unreachable = attemptErrors.filter(
      (last_error) => failingKind({ last_code: null, last_error }) === "unreachable",
    );
    expect(unreachable).to.deep.equal([
      ...["timeout_response", "timeout_connect", "refused", "reset", "unreachable", "dns", "tls"],
    ]);
  });

  it("is not known of failures from before it was written down", () => {
    expect(failingKind({ last_code: null, last_error: null })).to.equal("unknown");
  });
});
