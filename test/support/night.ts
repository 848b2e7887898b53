/**
 * `npm test` shows each guarantee once; `npm run test:night` repeats what depends on chance, and
 * runs on both queue backends even what is not about the queue.
 */
export const isNight = process.env["TEST_NIGHT"] === "1";

/** How often a property with costly tries is tried: by day a third of that. */
export const fuzzRuns = (night: number): number => (isNight ? night : Math.ceil(night / 3));
