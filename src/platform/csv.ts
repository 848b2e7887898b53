import { stringify } from "csv-stringify/sync";

/**
 * Rows as CSV lines. Escapes formulas (CSV injection). `isFirst`: adds the header, and the byte
 * order mark by which spreadsheets recognise UTF-8.
 */
export function toCsvLines<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
  isFirst: boolean,
): string {
  return stringify([...rows], {
    columns: [...columns],
    header: isFirst,
    bom: isFirst,
    delimiter: ";",
    record_delimiter: "\r\n",
    cast: { string: withoutFormulas },
    // The library only quotes cells that contain the whole delimiter; half of `\r\n` breaks a line
    // too.
    quoted_match: /[\r\n]/u,
  });
}

/**
 * Where a spreadsheet may see the start of a formula: at the start of a text, or after a character
 * that it may read as the end of a cell or a line, whatever the delimiter.
 */
const formulaStart = /(?:^|(?<=[,;\t\r\n]))(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** Prefixes formulas with an apostrophe. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(formulaStart, "'");
}
