/** Whether a series of samples is stable: memory over hours, latency over minutes. */
import { median } from "./statistics.ts";

export type Sample = { at: number; value: number };

export type Trend = {
  /** Medians of the first and the last third, which a single garbage collection hardly changes. */
  first: number;
  last: number;
  growth: number;
  /** Slope of the least-squares line through all samples, per unit of `at`. */
  slope: number;
  isFlat: boolean;
};

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function slopeOf(samples: readonly Sample[]): number {
  const at = mean(samples.map((sample) => sample.at));
  const value = mean(samples.map((sample) => sample.value));
  const spread = samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0);
  const together = samples.reduce(
    (sum, sample) => sum + (sample.at - at) * (sample.value - value),
    0,
  );
  return spread === 0 ? 0 : together / spread;
}

/** Growth up to this factor between the thirds counts as stable, because heap sizes vary. */
const flatGrowth = 1.1;

export function trendOf(samples: readonly Sample[]): Trend {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const valuesOf = (part: readonly Sample[]): number[] => part.map(({ value }) => value);
  const first = median(valuesOf(samples.slice(0, third)));
  const last = median(valuesOf(samples.slice(-third)));
  const growth = last / first;
  return { first, last, growth, slope: slopeOf(samples), isFlat: growth <= flatGrowth };
}
