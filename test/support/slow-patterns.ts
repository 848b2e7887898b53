import { analyse } from "scslre";

/**
 * The parts of a regular expression between which a text can be divided in several ways: the time for
 * a text that does not match then grows with a power of its length, or exponentially. Without those
 * that come only from trying each start in a text: patterns of schemas begin with `^`.
 */
export function ambiguousPartsOf({ source, flags }: { source: string; flags: string }): string[] {
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: true });
  return reports
    .filter(({ type }) => type !== "Move")
    .map(({ type, exponential }) => `${exponential ? "exponential" : "polynomial"} (${type})`);
}
