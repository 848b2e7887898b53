/** Tables as data: printed as text, and written into the HTML report. */
/** JSON turns `undefined` and `NaN` into `null`. */
export type Cell = string | number | null | undefined;

export type Table = Readonly<{
  title: string;
  header: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** Lines below the table. */
  notes: readonly string[];
}>;

export function table(
  title: string,
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  notes: readonly string[] = [],
): Table {
  return { title, header, rows, notes };
}

/** Numbers with three or more digits have no fraction: tenths of 1,234 do not matter. */
export function showCell(cell: Cell): string {
  if (cell === undefined || cell === null) {
    return "";
  }
  if (typeof cell === "string") {
    return cell;
  }
  return Math.abs(cell) >= 100 ? Math.round(cell).toLocaleString("en-US") : cell.toFixed(1);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** Aligns the first column left, numbers right. */
export function renderText({ title, header, rows, notes }: Table): string {
  const lines = [header, ...rows.map((row) => row.map(showCell))];
  const widths = header.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const lay = (line: readonly string[]): string =>
    widths
      .map((width, i) =>
        i === 0 ? (line[i] ?? "").padEnd(width) : (line[i] ?? "").padStart(width),
      )
      .join("  ");
  return [
    `\n${title}`,
    ...lines.map((line) => `  ${lay(line).trimEnd()}`),
    ...notes.map((note) => `  ${note}`),
  ].join("\n");
}
