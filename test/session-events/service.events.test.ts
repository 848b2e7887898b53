import { expect } from "chai";
import { sessionEventCodes, sessionEventTypes } from "../../src/contracts/session-events.ts";
import { sessionEventCreated } from "../../src/session-events/service.ts";

describe("the event of a timeline entry", () => {
  const entry = {
    enterpriseId: 7,
    ticketId: 1000,
    conversationId: 55,
    source: "guest",
    at: new Date("2026-11-20T10:00:00Z"),
  } as const;

  it("contains the common attributes first, then those of its type, and has the ticket's key", () => {
    const event = sessionEventCreated(912, {
      ...entry,
      eventType: "geo.ansAllowed",
      attributes: { geoloc: { lat: 48.65, lng: -3.36 } },
    });
    expect(JSON.stringify(event)).to.equal(
      JSON.stringify({
        enterpriseId: 7,
        key: "ticket:1000",
        event: "create",
        object: "conversationevent",
        eventType: "geo.ansAllowed",
        objectId: 912,
        props: {
          eventType: "geo.ansAllowed",
          eventCode: 21,
          ticketId: 1000,
          conversationId: 55,
          geoloc: { lat: 48.65, lng: -3.36 },
        },
      }),
    );
  });

  it("contains the code of its type, for every type", () => {
    for (const eventType of sessionEventTypes) {
      const { props } = sessionEventCreated(1, { ...entry, eventType, attributes: {} });
      expect(props["eventCode"]).to.equal(sessionEventCodes[eventType]);
    }
  });
});
