import { stringify } from "csv-stringify/sync";
import { statisticsKeys, type TicketStatistics } from "./row.ts";

/**
 * Rows as lines of CSV. A cell that a spreadsheet would take for a formula begins with an
 * apostrophe. `isFirst`: with the byte order mark, by which spreadsheets know UTF-8, and the keys.
 */
export const toCsv = (rows: readonly TicketStatistics[], isFirst: boolean): string =>
  stringify([...rows], {
    columns: [...statisticsKeys],
    header: isFirst,
    bom: isFirst,
    delimiter: ";",
    record_delimiter: "\r\n",
    escape_formulas: true,
    // The library quotes a cell with the whole delimiter only, which half of one breaks as well.
    quoted_match: /[\r\n]/u,
  });
