/** The selected deliveries of the log. Pure. */
import { isRepeatable } from "../model.ts";
import type { Row } from "./pages.ts";

/** By id, as of their selection. */
export type Selection = ReadonlyMap<number, Row>;

export const nothingSelected: Selection = new Map();

/** For more, users can replay by filter, which has no limit. */
export const mostSelected = 500;

/** Selects or deselects rows. */
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

/** The rows between two ids, in either direction; only the second if the first is gone. */
export function rangeOf(rows: readonly Row[], from: number | undefined, to: number): Row[] {
  const last = rows.findIndex(({ id }) => id === to);
  const found = from === undefined ? -1 : rows.findIndex(({ id }) => id === from);
  const first = found < 0 ? last : found;
  return last < 0 ? [] : rows.slice(Math.min(first, last), Math.max(first, last) + 1);
}

/** State of the "select all" checkbox. */
export function stateOfAll(selection: Selection, rows: readonly Row[]): "all" | "some" | "none" {
  const count = rows.filter(({ id }) => selection.has(id)).length;
  if (count === 0) {
    return "none";
  }
  return count === Math.min(rows.length, mostSelected) ? "all" : "some";
}

/** Ids of the deliveries that can be replayed, according to the list. */
export function replayable(selection: Selection): number[] {
  return [...selection.values()].filter(isRepeatable).map(({ id }) => id);
}

/** Ids of the deliveries that wait for a retry. */
export function retryable(selection: Selection): number[] {
  return [...selection.values()].filter(({ status }) => status === "retry").map(({ id }) => id);
}
