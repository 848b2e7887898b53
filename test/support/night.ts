/**
 * `npm test` tests each guarantee once. `npm run test:night` repeats tests that depend on chance,
 * and runs on both queue backends even what is not about the queue.
 */
export const isNight = process.env["TEST_NIGHT"] === "1";

/** The number of runs of an expensive property test; a third of that outside of the nightly run. */
export function fuzzRuns(night: number): number {
  return isNight ? night : Math.ceil(night / 3);
}
