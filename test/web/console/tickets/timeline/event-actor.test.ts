import { expect } from "chai";
import type { TimelineEvent } from "../../../../../web/console/tickets/types.ts";
import { actorName } from "../../../../../web/console/tickets/timeline/event-actor.ts";

const person = { firstname: "Ada", lastname: "Lovelace", login: "ada@demo.example" };
const customer = { firstname: "Jane", lastname: "Doe" };
function event(source: string, more: object = {}): TimelineEvent {
  return { source, ...more } as unknown as TimelineEvent;
}

describe("who is behind an entry of the timeline", () => {
  it("is told by name where that is known", () => {
    expect(actorName(event("agent", { agent: person }))).to.contain("Lovelace");
    expect(actorName(event("guest", { requestor: customer, agent: person }))).to.contain("Doe");
  });

  it("is nobody by name where it is not, or where it happened by itself", () => {
    expect(actorName(event("agent", { requestor: customer }))).to.equal(undefined);
    expect(actorName(event("system", { agent: person, requestor: customer }))).to.equal(undefined);
  });
});
