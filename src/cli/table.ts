import Table from "cli-table3";
import { clean, printLine, type Shell } from "./shell.ts";

export type Cell = string | number | boolean | null | undefined;

const plain = { head: [], border: [] };

/** A table for people. Cells that are empty are shown as a dash. */
export function printTable(
  shell: Pick<Shell, "out" | "hasColours">,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  const table = new Table({
    head: [...head],
    style: shell.hasColours ? { head: ["bold"], border: ["gray"] } : plain,
  });
  table.push(...rows.map((row) => row.map((cell) => clean(String(cell ?? "–")))));
  printLine(shell, table.toString());
}

/** Names and values, one below the other. */
export function printFacts(
  shell: Pick<Shell, "out" | "hasColours">,
  facts: readonly (readonly [string, Cell])[],
): void {
  const table = new Table({ style: shell.hasColours ? { head: ["bold"] } : plain });
  table.push(...facts.map(([name, value]) => ({ [name]: clean(String(value ?? "–")) })));
  printLine(shell, table.toString());
}
