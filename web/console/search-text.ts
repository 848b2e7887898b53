/** Parses and writes the query string, as plain names and values. */

/** Every value stays a string: `?open=12` is not converted to a number. */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes a query string; undefined values are omitted. */
export function writeSearchText(search: Readonly<Record<string, unknown>>): string {
  const input = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    input.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}
