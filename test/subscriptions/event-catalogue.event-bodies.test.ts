import { expect } from "chai";
import { entryAttributes } from "../../src/session-events/routes.ts";
import { actionsOfObject, objectKinds } from "../../src/contracts/events.ts";
import { webhookBodies } from "../../src/subscriptions/event-catalogue.ts";
import { sampleBody, sampleNames } from "../../src/subscriptions/test-send/samples.ts";
import { faultOf } from "../support/described.ts";

const bodies = webhookBodies(entryAttributes);
function schemaOf(name: string) {
  return bodies.find((one) => one.name === name)?.body ?? false;
}

describe("schemas of event bodies", () => {
  it("exist for every event that a webhook can select", () => {
    const events = objectKinds.flatMap((object) =>
      actionsOfObject[object].map((event) => `${object}.${event}`),
    );
    expect(bodies.map(({ name }) => name)).to.deep.equal(events);
  });

  it("match the body of every event", () => {
    expect(sampleNames).to.have.length.greaterThan(40);
    for (const name of sampleNames) {
      const [event = ""] = name.split(":");
      const body = sampleBody(name, new Date("2026-11-23T10:00:00Z"));
      expect(faultOf(schemaOf(event) as never, body), name).to.equal(undefined);
    }
  });

  it("reject a body with another member, state or code", () => {
    const body = sampleBody("ticket.update", new Date());
    const schema = schemaOf("ticket.update") as never;
    for (const wrong of [
      { ...body, extra: 1 },
      { ...body, object: "media" },
      { ...body, props: { ...body?.props, state: "gone" } },
    ]) {
      expect(faultOf(schema, wrong)).to.be.a("string");
    }
    const entry = sampleBody("conversationevent.create:media.OCRDone", new Date());
    const coded = { ...entry, props: { ...entry?.props, eventCode: 1 } };
    expect(faultOf(schemaOf("conversationevent.create") as never, coded)).to.be.a("string");
  });
});
