/**
 * Where a spreadsheet would see the beginning of a formula: at the start of a text, and within one
 * after what it may take for the end of a cell or a line, whatever the file is separated by.
 */
const beginning = /(?:^|(?<=[,;\t\r\n]))(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** The text of a cell, with an apostrophe before whatever would be calculated. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(beginning, "'");
}
