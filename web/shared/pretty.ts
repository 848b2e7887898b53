/** Bodies are anybody's: shown on several lines where that is not too much for a page. Pure. */

/**
 * The text on several lines where it is JSON, else undefined; so also where that would be too much
 * for the page, as lines grow with the depth of what they stand in.
 */
export function pretty(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isModest(text) ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
}

const maxLines = 20_000;

const maxFormatted = 1024 * 1024;

/** Strings keep their length; each bracket and comma costs a line with its indent. Valid JSON only. */
function isModest(json: string): boolean {
  let depth = 0;
  let lines = 1;
  let size = json.length;
  const signs = /[[\]{},]|"[^"\\]*(?:\\.[^"\\]*)*"/gsu;
  for (const [sign] of json.matchAll(signs)) {
    if (!sign.startsWith('"')) {
      depth += "[{".includes(sign) ? 1 : 0;
      depth -= "]}".includes(sign) ? 1 : 0;
      lines += 1;
      size += 1 + 2 * depth;
      if (lines > maxLines || size > maxFormatted) {
        return false;
      }
    }
  }
  return true;
}
