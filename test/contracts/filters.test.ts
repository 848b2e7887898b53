import { expect } from "chai";
import fc from "fast-check";
import { actionsOfObject, objectKinds, operationalKinds } from "../../src/contracts/events.ts";
import {
  compileFilters,
  explainFilters,
  findUnknownPart,
  parseFilter,
} from "../../src/contracts/filters.ts";
import { sessionEventTypes } from "../../src/contracts/session-events.ts";

const plainEvents = objectKinds
  .filter((object) => object !== "conversationevent")
  .flatMap((object) => actionsOfObject[object].map((event) => ({ object, event })));
const timelineEvents = sessionEventTypes.map((eventType) => ({
  object: "conversationevent",
  event: "create",
  eventType,
}));
/** Every possible event. */
const allEvents = [...plainEvents, ...timelineEvents];

function isOperational(object: string): boolean {
  return operationalKinds.some((kind) => kind === object);
}

function nameOf(event: { object: string; event: string; eventType?: string }): string {
  return [`${event.object}.${event.event}`, ...(event.eventType ? [event.eventType] : [])].join(
    ":",
  );
}

function matchedBy(...filters: string[]): string[] {
  return allEvents.filter(compileFilters(filters)).map(nameOf);
}

describe("filters", () => {
  it("match nothing if the list is empty", () => {
    expect(matchedBy()).to.deep.equal([]);
  });

  it("match every service event as `*` and as `*.*`", () => {
    const all = allEvents.filter((one) => !isOperational(one.object)).map(nameOf);
    expect(all).to.include("smsmessage.update").and.not.include("delivery.dead");
    expect(matchedBy("*")).to.deep.equal(all);
    expect(matchedBy("*.*")).to.deep.equal(all);
  });

  it("match operational events only if they are named", () => {
    expect(matchedBy("subscription.*")).to.deep.equal([
      "subscription.warned",
      "subscription.disabled",
      "subscription.recovered",
    ]);
    expect(matchedBy("delivery.dead")).to.deep.equal(["delivery.dead"]);
    expect(parseFilter("*.dead")).to.equal(undefined);
  });

  it("match one object with all its events", () => {
    expect(matchedBy("ticket.*")).to.deep.equal([
      "ticket.create",
      "ticket.update",
      "ticket.delete",
    ]);
  });

  it("match one event of all objects", () => {
    expect(matchedBy("*.delete")).to.deep.equal(["ticket.delete", "media.delete"]);
  });

  it("match exactly one event type", () => {
    expect(matchedBy("conversationevent.create:media.OCRDone")).to.deep.equal([
      "conversationevent.create:media.OCRDone",
    ]);
    expect(matchedBy("conversationevent.*:media.OCRDone")).to.deep.equal([
      "conversationevent.create:media.OCRDone",
    ]);
  });

  it("match every event type if the third part is absent or `*`", () => {
    const timeline = timelineEvents.map(nameOf);
    for (const filter of ["conversationevent.create", "conversationevent.create:*"]) {
      expect(matchedBy(filter)).to.deep.equal(timeline);
    }
  });

  it("are combined, each event once", () => {
    expect(matchedBy("ticket.*", "ticket.create", "media.delete")).to.deep.equal([
      "ticket.create",
      "ticket.update",
      "ticket.delete",
      "media.delete",
    ]);
  });

  it("are invalid if they name an impossible event or are malformed", () => {
    for (const text of [
      "",
      ".",
      "ticket",
      "ticket.",
      ".create",
      "ticket.create.",
      "ticket.create:",
      "tickets.create",
      "Ticket.create",
      "ticket.Create",
      "ticket.remove",
      " ticket.create",
      "ticket.create\n",
      "conversation.create",
      "smsmessage.delete",
      "conversationevent.update",
      "ticket.create:ticket.new",
      "ticket.create:*",
      "*.create:media.OCRDone",
      "*:media.OCRDone",
      "conversationevent.create:media.ocrdone",
      "conversationevent.create:unknown",
      "conversationevent.create:media.*",
      "**",
      "*.*.*",
      "constructor.create",
      "toString.*",
    ]) {
      expect(parseFilter(text), JSON.stringify(text)).to.equal(undefined);
      expect(matchedBy(text), JSON.stringify(text)).to.deep.equal([]);
    }
  });

  for (const [text, part, word, possible] of [
    ["TICKET.create", "object", "TICKET", objectKinds],
    ["conversation.create", "event", "create", ["update"]],
    ["*.dead", "event", "dead", ["create", "update", "delete"]],
    ["ticket.create:foo", "eventType", "foo", []],
    ["*.create:*", "eventType", "*", []],
    ["conversationevent.create:nope", "eventType", "nope", sessionEventTypes],
    [
      "conversationevent.*:media.nope",
      "eventType",
      "media.nope",
      ["media.pictureTaken", "media.OCRDone", "media.pictureSent"],
    ],
  ] as const) {
    it(`are explained by the first part that names nothing: ${text}`, () => {
      const [object] = text.split(".", 1);
      expect(findUnknownPart(text)).to.deep.equal({ part, word, object, possible });
    });
  }

  it("have no unknown part if they are valid or have another form", () => {
    for (const text of ["*", "ticket.*", "*.create", "conversationevent.create:*", "", "ticket"]) {
      expect(findUnknownPart(text), text).to.equal(undefined);
    }
  });

  it("still match if one of them is invalid", () => {
    expect(matchedBy("nonsense", "ticket.create")).to.deep.equal(["ticket.create"]);
  });

  it("exist for every possible event, and match it and no other", () => {
    for (const event of allEvents) {
      expect(parseFilter(nameOf(event)), nameOf(event)).to.not.equal(undefined);
      expect(matchedBy(nameOf(event))).to.deep.equal([nameOf(event)]);
    }
  });

  it("agree with a naive implementation", () => {
    const objects = fc.constantFrom("*", ...objectKinds);
    const actions = fc.constantFrom("*", "create", "update", "delete");
    const types = fc.option(fc.constantFrom("*", ...sessionEventTypes), { nil: undefined });
    fc.assert(
      fc.property(objects, actions, types, (object, event, eventType) => {
        const text = `${object}.${event}${eventType === undefined ? "" : `:${eventType}`}`;
        const fits = (pattern: string | undefined, value: string | undefined): boolean =>
          pattern === undefined || pattern === "*" || pattern === value;
        const expected =
          parseFilter(text) === undefined
            ? []
            : allEvents.filter(
                (one) =>
                  (object === "*" ? !isOperational(one.object) : object === one.object) &&
                  fits(event, one.event) &&
                  fits(eventType, "eventType" in one ? one.eventType : undefined),
              );
        expect(matchedBy(text)).to.deep.equal(expected.map(nameOf));
      }),
    );
  });

  it("never throw, for any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        compileFilters([text])({ object: text, event: text, eventType: text });
      }),
    );
  });

  it("explain which part of each did not match", () => {
    const event = { object: "conversationevent", event: "create", eventType: "ticket.new" };
    const filters = [
      "ticket.*",
      "conversationevent.create:media.OCRDone",
      "conversationevent.create:ticket.new",
      "nonsense",
      "*",
    ];
    expect(explainFilters(filters, event)).to.deep.equal([
      { filter: "ticket.*", mismatch: "object" },
      { filter: "conversationevent.create:media.OCRDone", mismatch: "eventType" },
      { filter: "nonsense", mismatch: "unknown" },
    ]);
    expect(explainFilters(["ticket.delete"], { object: "ticket", event: "create" })).to.deep.equal([
      { filter: "ticket.delete", mismatch: "event" },
    ]);
  });

  it("explain consistently with matching, for every event", () => {
    const texts = [
      "*",
      ...["*", ...objectKinds].flatMap((object) =>
        ["*", "create", "update", "delete", "warned", "dead"].map((event) => `${object}.${event}`),
      ),
      ...sessionEventTypes.map((type) => `conversationevent.create:${type}`),
    ];
    for (const event of allEvents) {
      for (const text of texts) {
        const isLetThrough = explainFilters([text], event).length === 0;
        expect(isLetThrough, `${text} and ${nameOf(event)}`).to.equal(
          compileFilters([text])(event),
        );
      }
    }
  });
});
