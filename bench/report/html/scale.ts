/** Axes: round steps from 0, and their labels. */
export type Scale = { most: number; ticks: number[] };

const roundSteps = [1, 2, 2.5, 5, 10];

/** The smallest round step for which `count` ticks cover the maximum. */
export function scaleFor(most: number, count = 4): Scale {
  if (!(most > 0)) {
    return { most: 1, ticks: [0, 1] };
  }
  const exact = most / count;
  const magnitude = 10 ** Math.floor(Math.log10(exact));
  const factor = roundSteps.find((step) => step * magnitude >= exact * 0.999_999) ?? 10;
  const step = factor * magnitude;
  const steps = Math.ceil(most / step - 1e-9);
  const ticks = Array.from({ length: steps + 1 }, (_, n) => Number((n * step).toPrecision(6)));
  return { most: steps * step, ticks };
}

/** `12,000`, `0.25`: only the digits that a label needs. */
export function showTick(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 10 ? 2 : 0 });
}

/** Small values keep three digits. */
export function showAmount(value: number): string {
  const fractionDigits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { maximumFractionDigits: fractionDigits });
}
