/** What tickets come to, as the service sums them up → what is shown of it. Pure. */
import type { components } from "../../base/api-types.ts";

type Schemas = components["schemas"];

export type TicketRow = Schemas["TicketStatistics"];
export type TicketSummary = Schemas["TicketSummary"];
export type TicketFigures = Schemas["TicketCounts"];
export type TicketDay = Schemas["TicketCountsOfDay"];

export const ticketStates = [
  ...(["done", "closed", "inprogress", "opened", "open", "updated", "new", "invited"] as const),
  ...(["expired", "declined", "rejected"] as const),
] as const;
export type TicketState = (typeof ticketStates)[number];

/** States that mean the same to who looks at a day. */
export const stateGroups = {
  done: ["done", "closed"],
  going: ["inprogress", "opened", "open", "updated"],
  waiting: ["new", "invited"],
  expired: ["expired"],
  refused: ["declined", "rejected"],
} as const satisfies Readonly<Record<string, readonly TicketState[]>>;
export type StateGroup = keyof typeof stateGroups;

export function countOfGroup({ states }: Pick<TicketFigures, "states">, group: StateGroup) {
  return stateGroups[group].reduce((sum, state) => sum + (states[state] ?? 0), 0);
}
