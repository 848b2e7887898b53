import { useState } from "react";
import type { Row } from "./pages.ts";
import { nothingSelected, rangeOf, setSelected, type Selection } from "./selection.ts";

export type Selecting = ReturnType<typeof useSelection>;

type StoredSelection = Readonly<{ of: string; selection: Selection; anchor: number | undefined }>;

/** The selection of a search; a new search clears it. */
export function useSelection(search: string, rows: readonly Row[]) {
  const [stored, setStored] = useState<StoredSelection>();
  const { selection, anchor } =
    stored?.of === search ? stored : { selection: nothingSelected, anchor: undefined };
  const keep = (next: Selection, from: number | undefined): void =>
    setStored({ of: search, selection: next, anchor: from });
  return {
    selection,
    set: (some: readonly Row[], isOn: boolean): void =>
      keep(setSelected(selection, some, isOn), undefined),
    /** `isRange` selects all rows from the last toggled one. */
    toggle: (row: Row, isRange: boolean): void => {
      const some = rangeOf(rows, isRange ? anchor : undefined, row.id);
      keep(setSelected(selection, some, !selection.has(row.id)), row.id);
    },
    clear: (): void => keep(nothingSelected, undefined),
  };
}
