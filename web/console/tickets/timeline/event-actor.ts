/** The actor of a timeline entry. Pure. */
import { nameOf } from "../person.ts";
import type { TimelineEvent } from "../types.ts";

/** The name if known; undefined for automatic events. */
export function actorName(event: TimelineEvent): string | undefined {
  const { agent, customer } = peopleOf(event);
  const name = { agent, guest: customer, system: "" }[event.source];
  return name === "" ? undefined : name;
}

export function peopleOf(event: TimelineEvent) {
  return {
    agent: "agent" in event ? nameOf(event.agent) : "",
    customer: "requestor" in event ? nameOf(event.requestor) : "",
  };
}
