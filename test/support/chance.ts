import { randomInt } from "node:crypto";
import { isNight } from "./night.ts";

/** Random numbers that come again with the same seed. */
export type Chance = {
  /** For the message of a failure: `FAULT_SEED=<seed>` repeats the choices. */
  readonly seed: number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  /** At least one of them. */
  some<T>(items: readonly T[]): T[];
};

/** mulberry32: small, and good enough to choose moments and victims. */
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

/** How many rounds a test of random faults has. */
export const faultRounds = Number(process.env["FAULT_ROUNDS"] ?? (isNight ? 30 : 1));

/** Chance for the tests of the surrounding `describe`: where one fails, it says how to repeat it. */
export function useChance(): Chance {
  const chance = createChance();
  afterEach("print how to repeat it", function () {
    if (this.currentTest?.state === "failed") {
      process.stderr.write(`Repeat the choices with FAULT_SEED=${chance.seed}\n`);
    }
  });
  return chance;
}
