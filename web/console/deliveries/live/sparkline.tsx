import { memo } from "react";
import type { Meaning } from "../../../components/meaning.ts";
import classes from "./live.module.css";

const width = 120;
const height = 28;
/** More points are not distinguishable. */
const mostPoints = 60;

/** Downsamples by maximum, so that peaks remain. */
function thinned(values: readonly number[]): number[] {
  const size = Math.max(1, Math.ceil(values.length / mostPoints));
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    Math.max(...values.slice(at * size, (at + 1) * size)),
  );
}

function lineOf(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length - 1);
  return values
    .map(
      (value, at) =>
        `${(at * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
    )
    .join(" ");
}

type SparklineProps = Readonly<{ values: readonly number[]; meaning: Meaning }>;

/** A sparkline; the number is shown beside it. */
export const Sparkline = memo(({ values, meaning }: SparklineProps) => {
  const line = lineOf(thinned(values));
  return (
    <svg
      className={classes["spark"]}
      data-meaning={meaning}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {values.length < 2 ? null : (
        <>
          <polygon points={`0,${height} ${line} ${width},${height}`} />
          <polyline points={line} vectorEffect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
});
Sparkline.displayName = "Sparkline";
