/** Pretty-prints bodies within a size limit, because the input is untrusted. Pure. */

/**
 * The indented text if it is JSON, else undefined. Also undefined if the result would be too large:
 * indentation grows with the nesting depth.
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

/**
 * Estimates the size after indentation: each bracket and comma adds a line with its indent. Valid
 * JSON only.
 */
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
