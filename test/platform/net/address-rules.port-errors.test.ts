import { expect } from "chai";
import {
  checkUrlRules,
  createAddressRules,
  createInboxRule,
  type AllowedRange,
} from "../../../src/platform/net/address-rules.ts";

function check(url: string, ...allowList: readonly AllowedRange[]) {
  const inbox = createInboxRule(undefined);
  const rules = createAddressRules({ areLocalReceiversAllowed: false, allowList, inbox });
  return checkUrlRules(url, rules, inbox);
}

describe("the error of a refused port", () => {
  it("names the ports that are allowed", () => {
    for (const port of [443, 80, 1024, 2525, 6667]) {
      expect(check(`https://receiver.example:${port}/`).isAllowed, String(port)).to.equal(true);
    }
    for (const port of [81, 1023, 5432, 6379]) {
      expect(check(`https://receiver.example:${port}/`), String(port)).to.deep.equal({
        isAllowed: false,
        reason: "port",
        detail:
          "The port must be 443, 80 or at least 1024, and not the port of a database or a similar service, such as 5432 or 6379.",
      });
    }
  });

  it("names the operator's list if plain http is allowed to its ports only", () => {
    const listed = { cidr: "10.1.0.0/16", port: 8080 };
    expect(check("http://10.1.2.3:8080/", listed).isAllowed).to.equal(true);
    expect(check("http://10.1.2.3:8081/", listed)).to.deep.equal({
      isAllowed: false,
      reason: "port",
      detail: "Plain http is allowed only on ports that the operator of the platform permits.",
    });
  });
});
