import { expect } from "chai";
import { addressOf } from "../../../../../web/console/deliveries/detail/address.ts";

const now = "https://new.example";
const before = "https://old.example";
function webhookOf(deleted: boolean) {
  return {
    webhook: { id: 7, name: "CRM", origin: now, deleted },
  };
}

describe("the URL of an attempt", () => {
  it("is the one that was requested, even if the webhook has changed", () => {
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

  it("is labelled as the current or the last URL if none was stored", () => {
    const unknown = { origin: null, address_changed: null };
    expect(addressOf(webhookOf(false), unknown)).to.deep.equal({ origin: now, standing: "now" });
    expect(addressOf(webhookOf(true), unknown)).to.deep.equal({ origin: now, standing: "last" });
  });
});
