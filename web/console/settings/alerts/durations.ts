/** Thresholds in minutes; 0 means never. */

export const failingChoices = [0, 5, 15, 30, 60, 240, 720, 1_440, 2_880];

export const pastDueChoices = [0, 1, 2, 5, 10, 15, 30, 60, 240];

/** In hours. */
export const repeatChoices = [0, 1, 4, 12, 24];

/** "30 minutes", "24 hours", in the reader's language. */
export function durationText(minutes: number, language: string): string {
  const [amount, unit] = unitOf(minutes);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
    amount,
  );
}

function unitOf(minutes: number): [number, "minute" | "hour"] {
  return minutes % 60 === 0 ? [minutes / 60, "hour"] : [minutes, "minute"];
}

/** The options plus the current value, which the API may have set to any number. */
export function choicesWith(choices: readonly number[], set: number | null): number[] {
  return set === null || choices.includes(set)
    ? [...choices]
    : [...choices, set].toSorted((a, b) => a - b);
}
