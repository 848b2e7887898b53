/** What stands behind the `?`: names and plain texts, as people write and read them. */

/** Every value is a text: `?open=12` is not a number that a page has to turn back. */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The same, the other way round; what is undefined is left out. */
export function writeSearchText(search: Readonly<Record<string, unknown>>): string {
  const input = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(
    input.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}
