import { stringify } from "csv-stringify/sync";

/**
 * Rows as lines of CSV. What a spreadsheet would take for a formula has an apostrophe before
 * it. `isFirst`: with the byte order mark, by which spreadsheets know UTF-8, and the keys.
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
    // The library quotes a cell with the whole delimiter only, which half of one breaks as well.
    quoted_match: /[\r\n]/u,
  });
}

/**
 * Where a spreadsheet would see the beginning of a formula: at the start of a text, and within one
 * after what it may take for the end of a cell or a line, whatever the file is separated by.
 */
const formulaStart = /(?:^|(?<=[,;\t\r\n]))(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** The text of a cell, with an apostrophe before whatever would be calculated. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(formulaStart, "'");
}
