import { Ajv } from "ajv";
import { expect } from "chai";
import { actionsOfObject, mediaStates, ticketStates } from "../../../src/contracts/events.ts";
import { parseFilter } from "../../../src/contracts/filters.ts";
import {
  sessionEventAttributes,
  sessionEventCodes,
} from "../../../src/contracts/session-events.ts";
import type { JsonSchema } from "../../../src/http/route.ts";
import { sessionEventListAnswer } from "../../../src/session-events/routes.ts";
import { eventCatalogue } from "../../../src/subscriptions/event-catalogue.ts";
import { sampleBody, sampleNames } from "../../../src/subscriptions/test-send/samples.ts";

const now = new Date("2026-11-22T10:00:00Z");
const common = ["eventType", "eventCode", "ticketId", "conversationId"];

function sampleOf(name: string) {
  const body = sampleBody(name, now);
  if (body === undefined) {
    throw new Error(`There is no sample of ${name}`);
  }
  return body;
}

/**
 * Whether a sample is a timeline entry of the API: the members of the webhook body, and those that
 * only the timeline has.
 */
const isTimelineEntry = new Ajv({ strict: false }).compile({
  ...(sessionEventListAnswer["items"] as JsonSchema),
});

describe("the samples of a test send", () => {
  it("exist for exactly the events and timeline entry types of the catalogue", () => {
    const wanted = [
      ...eventCatalogue.objects.flatMap(({ object, events }) =>
        events.map((event) => `${object}.${event}`),
      ),
      ...eventCatalogue.eventTypes.map(({ filter }) => filter),
    ];
    expect(sampleNames).to.have.members(wanted);
  });

  it("have exactly the five keys of a body, in order, and match their name", () => {
    for (const name of sampleNames) {
      const body = sampleOf(name);
      expect(Object.keys(body), name).to.deep.equal([
        "event",
        "time",
        "object",
        "objectId",
        "props",
      ]);
      const filter = parseFilter(name);
      expect(body, name).to.include({ object: filter?.object, event: filter?.event });
      expect(actionsOfObject[body.object], name).to.include(body.event);
      expect(body.time, name).to.equal(1_795_341_600);
      expect(JSON.parse(JSON.stringify(body)), name).to.deep.equal(body);
    }
  });

  it("of timeline entries have the attributes of their type", () => {
    for (const [eventType, attributes] of Object.entries(sessionEventAttributes)) {
      const { props, objectId } = sampleOf(`conversationevent.create:${eventType}`);
      expect(Object.keys(props), eventType).to.deep.equal([...common, ...attributes]);
      expect(props).to.deep.include({
        eventType,
        eventCode: sessionEventCodes[eventType as keyof typeof sessionEventCodes],
      });
      const entry = {
        id: objectId,
        ...props,
        created: "2026-11-22T10:00:00+00:00",
        source: "agent",
      };
      expect(
        isTimelineEntry(entry),
        `${eventType}: ${JSON.stringify(isTimelineEntry.errors)}`,
      ).to.equal(true);
    }
  });

  it("of tickets and media have an existing state", () => {
    for (const event of actionsOfObject.ticket) {
      expect(ticketStates).to.include(sampleOf(`ticket.${event}`).props["state"]);
    }
    for (const event of actionsOfObject.media) {
      const { props } = sampleOf(`media.${event}`);
      expect(mediaStates).to.include(props["state"]);
      expect(props["_parent"]).to.deep.equal({ name: "ticket", id: 1001 });
    }
    expect(sampleOf("media.create").props["state"]).to.equal("inprogress");
  });

  it("of other objects have the members of real events", () => {
    expect(sampleOf("smsmessage.update").props).to.deep.equal({});
    const ended = sampleOf("conversation.update");
    expect(ended.objectId).to.match(/^[0-9a-f-]{36}$/u);
    expect(ended.props).to.have.all.keys("eventType", "name", "finishedAt");
    expect(ended.props["finishedAt"]).to.equal("2026-11-22T10:00:00+00:00");
    expect(sampleOf("subscription.disabled").props).to.include.keys("name", "origin", "reason");
    expect(sampleOf("delivery.dead").props).to.include.keys(
      "subscriptionId",
      "eventId",
      "attempts",
    );
  });

  it("do not exist for a filter that selects several kinds of events or none", () => {
    for (const name of [
      "*",
      "ticket.*",
      "*.create",
      "ticket.dead",
      "conversation.create",
      "x",
      "",
    ]) {
      expect(sampleBody(name, now), name).to.equal(undefined);
    }
  });
});
