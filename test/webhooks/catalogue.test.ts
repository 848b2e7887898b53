import { expect } from "chai";
import { parseFilter } from "../../src/contracts/filters.ts";
import { eventCatalogue } from "../../src/webhooks/catalogue.ts";

describe("catalogue of event types", () => {
  it("lists the five objects with the events that each can have", () => {
    const events = Object.fromEntries(eventCatalogue.objects.map((o) => [o.object, o.events]));
    expect(events).to.deep.equal({
      ticket: ["create", "update", "delete"],
      media: ["create", "update", "delete"],
      conversation: ["update"],
      smsmessage: ["create", "update"],
      conversationevent: ["create"],
    });
  });

  it("lists the 32 event types with their codes, the deprecated one marked", () => {
    const { eventTypes } = eventCatalogue;
    expect(eventTypes).to.have.length(32);
    expect(eventTypes.find((type) => type.eventType === "media.OCRDone")?.eventCode).to.equal(41);
    expect(
      eventTypes.filter((type) => type.deprecated).map((type) => type.eventType),
    ).to.deep.equal(["ticket.invitationExpired"]);
  });

  it("offers only filters that can be saved", () => {
    const filters = [
      ...eventCatalogue.objects.flatMap((one) => one.filters),
      ...eventCatalogue.eventTypes.map((one) => one.filter),
    ];
    expect(filters).to.have.length(5 + 10 + 32);
    for (const filter of filters) {
      expect(parseFilter(filter), filter).to.not.equal(undefined);
    }
  });
});
