/** Tokenizes JSON for syntax highlighting. Pure. */

export type JsonKind = "key" | "string" | "number" | "word" | "sign";

export type JsonRun = Readonly<{ kind: JsonKind; text: string }>;

/** More coloured elements than this make a page slow. */
const mostRuns = 4_000;

const tokens =
  /(?<string>"(?:[^"\\]|\\.)*")(?=(?<colon>\s*:)?)|(?<word>true|false|null)|(?<number>-?\d[\d.eE+-]*)/gu;

/** Splits valid JSON into tokens; undefined if there are too many to highlight. */
export function toJsonRuns(json: string): JsonRun[] | undefined {
  const runs: JsonRun[] = [];
  let end = 0;
  const sign = (until: number): void => {
    if (until > end) {
      runs.push({ kind: "sign", text: json.slice(end, until) });
    }
  };
  for (const match of json.matchAll(tokens)) {
    sign(match.index);
    runs.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
    if (runs.length > mostRuns) {
      return undefined;
    }
  }
  sign(json.length);
  return runs;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): JsonKind {
  if (groups["string"] !== undefined) {
    return groups["colon"] === undefined ? "string" : "key";
  }
  return groups["word"] === undefined ? "number" : "word";
}
