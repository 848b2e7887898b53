/**
 * `npm test` shows each guarantee once; `npm run test:night` repeats what depends on chance, and
 * runs on both queue backends even what is not about the queue.
 */
export const isNight = process.env["TEST_NIGHT"] === "1";

/** How often a property with costly tries is tried: by day a third of that. */
export function fuzzRuns(night: number): number {
  return isNight ? night : Math.ceil(night / 3);
}
