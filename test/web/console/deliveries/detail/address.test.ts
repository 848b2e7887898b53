import { expect } from "chai";
import { addressOf } from "../../../../../web/console/deliveries/detail/address.ts";

const now = "https://new.example";
const before = "https://old.example";
function webhookOf(deleted: boolean) {
  return {
    webhook: { id: 7, name: "CRM", origin: now, deleted },
  };
}

describe("the address of an attempt", () => {
  it("is the one that it was sent to, whether the webhook has it still or not", () => {
    for (const deleted of [false, true]) {
      expect(addressOf(webhookOf(deleted), { origin: now, address_changed: false })).to.deep.equal({
        origin: now,
        standing: "same",
      });
      expect(
        addressOf(webhookOf(deleted), { origin: before, address_changed: true }),
      ).to.deep.equal({ origin: before, standing: "then" });
    }
  });

  it("is said to be that of now, or the last one, where nobody kept it", () => {
    const unknown = { origin: null, address_changed: null };
    expect(addressOf(webhookOf(false), unknown)).to.deep.equal({ origin: now, standing: "now" });
    expect(addressOf(webhookOf(true), unknown)).to.deep.equal({ origin: now, standing: "last" });
  });
});
