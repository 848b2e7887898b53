/**
 * A table as spreadsheets of French-speaking offices open it: UTF-8 with a byte order mark,
 * separated by `;`, lines ended by CRLF, formulas made harmless. The form of the day export. Pure.
 */

import { withoutFormulas } from "../../../src/contracts/spreadsheets.ts";

type Cell = string | number | null;

const cellOf = (cell: Cell): string => {
  if (cell === null) {
    return "";
  }
  const text = typeof cell === "string" ? withoutFormulas(cell) : String(cell);
  return /[;"\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const toCsv = (heads: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${[heads, ...rows].map((row) => `${row.map(cellOf).join(";")}\r\n`).join("")}`;
