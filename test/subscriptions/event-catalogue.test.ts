import { expect } from "chai";
import { parseFilter } from "../../src/contracts/filters.ts";
import { sessionEventTypes } from "../../src/contracts/session-events.ts";
import { eventCatalogue } from "../../src/subscriptions/event-catalogue.ts";

describe("catalogue of event types", () => {
  it("lists the objects with their events, and marks operational ones", () => {
    const events = Object.fromEntries(eventCatalogue.objects.map((o) => [o.object, o.events]));
    expect(events).to.deep.equal({
      ticket: ["create", "update", "delete"],
      media: ["create", "update", "delete"],
      conversation: ["update"],
      smsmessage: ["create", "update"],
      conversationevent: ["create"],
      subscription: ["warned", "disabled", "recovered"],
      delivery: ["dead"],
    });
    const operational = eventCatalogue.objects.filter((one) => one.operational);
    expect(operational.map((one) => one.object)).to.deep.equal(["subscription", "delivery"]);
  });

  it("describes exactly the existing events", () => {
    for (const { object, events, meanings } of eventCatalogue.objects) {
      expect(Object.keys(meanings), object).to.deep.equal([...events]);
    }
  });

  it("lists the types of timeline entries with their codes, and marks the deprecated one", () => {
    const { eventTypes } = eventCatalogue;
    expect(eventTypes.map(({ eventType }) => eventType)).to.deep.equal(sessionEventTypes);
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
    expect(filters).to.have.length(7 + 14 + sessionEventTypes.length);
    for (const filter of filters) {
      expect(parseFilter(filter), filter).to.not.equal(undefined);
    }
  });
});
