import { expect } from "chai";
import { destinationsOf } from "../../../../web/console/palette/destinations.ts";

const words = {
  ticket: (id: number) => `Ticket ${id}`,
  meeting: (id: number) => `Meeting ${id}`,
  delivery: (id: number) => `Delivery ${id}`,
  event: (id: string) => `Event ${id}`,
};

const found = { tickets: [], meetings: [], events: [], deliveries: [{ id: 471 }] };

const labelsOf = (wanted: string, settled: string): string[] =>
  destinationsOf({ wanted, settled, found: found as never, eventId: undefined }, words).map(
    ({ label }) => label,
  );

describe("the search results in the palette", () => {
  it("are those of the text in the field, never of an earlier one", () => {
    expect(labelsOf("471", "471")).to.deep.equal(["Delivery 471"]);
    expect(labelsOf("4711", "471")).to.deep.equal([]);
  });
});
