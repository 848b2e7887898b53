/** Which deliveries of the log are selected. Pure. */
import { isRepeatable } from "../model.ts";
import type { Row } from "./pages.ts";

/** By their ids, as they were when they were selected. */
export type Selection = ReadonlyMap<number, Row>;

export const nothingSelected: Selection = new Map();

/** More is done by filters: a replay of what the log shows has no bound. */
export const mostSelected = 500;

/** Selects these, or takes them away. */
export function setSelected(selection: Selection, rows: readonly Row[], isOn: boolean): Selection {
  return isOn ? withRows(selection, rows) : withoutRows(selection, rows);
}

function withRows(selection: Selection, rows: readonly Row[]): Selection {
  return new Map(
    [...selection, ...rows.map((row) => [row.id, row] as const)].slice(0, mostSelected),
  );
}

function withoutRows(selection: Selection, rows: readonly Row[]): Selection {
  const gone = new Set(rows.map(({ id }) => id));
  return new Map([...selection].filter(([id]) => !gone.has(id)));
}

/** The rows from one to another, whichever is above; only the second where the first is gone. */
export function rangeOf(rows: readonly Row[], from: number | undefined, to: number): Row[] {
  const last = rows.findIndex(({ id }) => id === to);
  const found = from === undefined ? -1 : rows.findIndex(({ id }) => id === from);
  const first = found < 0 ? last : found;
  return last < 0 ? [] : rows.slice(Math.min(first, last), Math.max(first, last) + 1);
}

/** Of all that is shown: whether all of it, some of it or nothing is selected. */
export function stateOfAll(selection: Selection, rows: readonly Row[]): "all" | "some" | "none" {
  const count = rows.filter(({ id }) => selection.has(id)).length;
  if (count === 0) {
    return "none";
  }
  return count === Math.min(rows.length, mostSelected) ? "all" : "some";
}

/** The ids of those that a replay can be of, as far as the list tells. */
export function replayable(selection: Selection): number[] {
  return [...selection.values()].filter(isRepeatable).map(({ id }) => id);
}

/** The ids of those that wait for their next attempt. */
export function retryable(selection: Selection): number[] {
  return [...selection.values()].filter(({ status }) => status === "retry").map(({ id }) => id);
}
