import { randomInt } from "node:crypto";
import { isNight } from "./night.ts";

/** Seeded random numbers. */
export type Chance = {
  /** Included in the message of a failure: `FAULT_SEED=<seed>` repeats the choices. */
  readonly seed: number;
  /** An integer, both bounds included. */
  between(least: number, most: number): number;
  /** A random non-empty subset. */
  some<T>(items: readonly T[]): T[];
};

/** mulberry32: short, and random enough for times and choices of a test. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function createChance(
  seed = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31)),
): Chance {
  const random = createRandom(seed);
  const between = (least: number, most: number): number =>
    least + Math.floor(random() * (most - least + 1));
  return {
    seed,
    between,
    some: (items) => {
      const chosen = items.filter(() => random() < 0.5);
      return chosen.length > 0 ? chosen : items.slice(0, 1);
    },
  };
}

/** The number of rounds of a test with random faults. */
export const faultRounds = Number(process.env["FAULT_ROUNDS"] ?? (isNight ? 30 : 1));

/**
 * Random numbers for the tests of the surrounding `describe`. If a test fails, prints how to repeat
 * it.
 */
export function useChance(): Chance {
  const chance = createChance();
  afterEach("print how to repeat it", function () {
    if (this.currentTest?.state === "failed") {
      process.stderr.write(`Repeat the choices with FAULT_SEED=${chance.seed}\n`);
    }
  });
  return chance;
}
