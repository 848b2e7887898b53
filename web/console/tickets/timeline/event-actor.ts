/** Who is behind an entry of the timeline. Pure. */
import { nameOf } from "../person.ts";
import type { TimelineEvent } from "../types.ts";

/** By name where it is known; nobody's name stands for what happened by itself. */
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
