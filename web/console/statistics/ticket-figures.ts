/** Derives the shown values from the API's ticket totals. Pure. */
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

/** Groups of states with the same meaning in a daily view. */
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
