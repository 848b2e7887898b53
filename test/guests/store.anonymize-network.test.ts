import { expect } from "chai";
import { anonymizeNetwork } from "../../src/guests/store.ts";

describe("the truncated network of a consent", () => {
  const cases: [string, string][] = [
    ["203.0.113.77", "203.0.113.0/24"],
    ["127.0.0.1", "127.0.0.0/24"],
    ["2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["unknown", "unknown"],
    ["", "unknown"],
  ];
  for (const [address, expected] of cases) {
    it(`is ${expected} of ${JSON.stringify(address)}`, () => {
      expect(anonymizeNetwork(address)).to.equal(expected);
    });
  }
});
