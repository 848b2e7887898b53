import { expect } from "chai";
import type { TimelineEvent } from "../../../../../web/console/tickets/types.ts";
import { actorName } from "../../../../../web/console/tickets/timeline/event-actor.ts";

const person = { firstname: "Ada", lastname: "Lovelace", login: "ada@demo.example" };
const customer = { firstname: "Jane", lastname: "Doe" };
function event(source: string, more: object = {}): TimelineEvent {
  return { source, ...more } as unknown as TimelineEvent;
}

describe("the actor of a timeline entry", () => {
  it("has a name if it is known", () => {
    expect(actorName(event("agent", { agent: person }))).to.contain("Lovelace");
    expect(actorName(event("guest", { requestor: customer, agent: person }))).to.contain("Doe");
  });

  it("has no name if it is unknown, or for an automatic event", () => {
    expect(actorName(event("agent", { requestor: customer }))).to.equal(undefined);
    expect(actorName(event("system", { agent: person, requestor: customer }))).to.equal(undefined);
  });
});
