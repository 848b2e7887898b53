import { expect } from "chai";
import { compileFilters } from "../../../../src/contracts/filters.ts";
import { matchingFilters } from "../../../../web/console/deliveries/match.ts";

const events = [
  { object: "ticket", event: "update", event_type: null },
  { object: "conversationevent", event: "create", event_type: "media.OCRDone" },
  { object: "delivery", event: "dead", event_type: null },
];
const filters = [
  ...["*", "ticket.*", "ticket.create", "*.update", "delivery.dead", "*.create"],
  ...["conversationevent.create:media.OCRDone", "conversationevent.create:ticket.new"],
];

describe("the filter preview of an event", () => {
  it("gives the same result as the platform", () => {
    for (const texts of events) {
      const decided = filters.filter((filter) =>
        compileFilters([filter])({ ...texts, eventType: texts.event_type }),
      );
      expect(matchingFilters(filters, texts), texts.object).to.deep.equal(decided);
      expect(decided.length).to.be.greaterThan(0);
    }
  });
});
