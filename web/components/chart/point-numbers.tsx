import type { Point } from "./live-plot.ts";
import type { ChartData } from "./model.ts";
import { pointName, type Grain } from "./times.ts";
import classes from "./chart.module.css";

type PointNumbersProps = Readonly<{
  data: ChartData;
  point: Point;
  grain: Grain;
  isStacked: boolean;
  exact: (value: number) => string;
}>;

/** The tooltip with the exact values of one point. The chart itself informs screen readers. */
export function PointNumbers(props: PointNumbersProps) {
  const { data, point, grain, isStacked, exact } = props;
  const time = data.times[point.at];
  if (time === undefined) {
    return null;
  }
  const lines = isStacked ? data.series.toReversed() : data.series;
  const total = data.series.reduce((sum, { values }) => sum + (values[point.at] ?? 0), 0);
  return (
    <div
      aria-hidden
      className={classes["tooltip"]}
      data-side={point.isOnLeft ? "left" : "right"}
      style={{ left: point.left }}
    >
      <div className={classes["when"]}>{pointName(time, grain)}</div>
      {lines.map(({ name, color, line, values }) => {
        const value = values[point.at] ?? null;
        return (
          <div key={name} className={classes["value"]}>
            <span className={classes["swatch"]} data-color={color} data-line={line} />
            <span>{name}</span>
            <b>{value === null ? "–" : exact(value)}</b>
          </div>
        );
      })}
      {isStacked && lines.length > 1 ? (
        <div className={classes["sum"]}>
          <span>Σ</span>
          <b>{exact(total)}</b>
        </div>
      ) : null}
    </div>
  );
}
