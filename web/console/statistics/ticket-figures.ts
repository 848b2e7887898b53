/** Derives the shown values from the API's ticket totals. Pure. */
import type { TicketState } from "../../../src/contracts/events.ts";
import type { components } from "../../base/api-types.ts";

type Schemas = components["schemas"];

export type TicketRow = Schemas["TicketStatistics"];
export type TicketSummary = Schemas["TicketSummary"];
export type TicketFigures = Schemas["TicketCounts"];
export type TicketDay = Schemas["TicketCountsOfDay"];

/** Groups of states with the same meaning in a daily view. */
export const stateGroups = {
  done: ["done", "closed"],
  going: ["inprogress", "opened", "open", "updated"],
  waiting: ["new", "invited"],
  expired: ["expired"],
  refused: ["declined", "rejected"],
} as const satisfies Readonly<Record<string, readonly TicketState[]>>;
export type StateGroup = keyof typeof stateGroups;

/** The states by group. */
export const statesByGroup: readonly TicketState[] = Object.values(stateGroups).flat();

export function countOfGroup({ states }: Pick<TicketFigures, "states">, group: StateGroup) {
  return stateGroups[group].reduce((sum, state) => sum + (states[state] ?? 0), 0);
}
