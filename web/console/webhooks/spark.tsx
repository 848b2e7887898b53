import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import classes from "./spark.module.css";
import type { SeriesPoint } from "./types.ts";

const bars = 24;
const height = 22;
const barWidth = 4;

type Sums = { delivered: number; failed: number };

/** The points in so many equal pieces of time. */
const summed = (points: readonly SeriesPoint[]): Sums[] => {
  const size = Math.max(1, Math.ceil(points.length / bars));
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    points.slice(at * size, (at + 1) * size).reduce(
      (sum, { delivered, failed }) => ({
        delivered: sum.delivered + delivered,
        failed: sum.failed + failed,
      }),
      { delivered: 0, failed: 0 },
    ),
  );
};

export const totalsOf = (points: readonly SeriesPoint[]): Sums =>
  points.reduce(
    (sum, point) => ({
      delivered: sum.delivered + point.delivered,
      failed: sum.failed + point.failed,
    }),
    { delivered: 0, failed: 0 },
  );

/** A day of deliveries as bars, failed attempts on top of what was delivered. */
export const Spark = ({ points }: { points: readonly SeriesPoint[] }) => {
  const { t } = useTranslation("webhooks");
  const columns = summed(points);
  const most = Math.max(1, ...columns.map(({ delivered, failed }) => delivered + failed));
  const { delivered, failed } = totalsOf(points);
  const label = t("spark", {
    delivered: formatNumber(delivered),
    failed: formatNumber(failed),
  });
  return (
    <svg
      className={classes["spark"]}
      width={columns.length * (barWidth + 1)}
      height={height}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {columns.map((sum, at) => {
        const good = Math.round((sum.delivered / most) * (height - 2));
        const bad = sum.failed === 0 ? 0 : Math.max(2, Math.round((sum.failed / most) * height));
        const x = at * (barWidth + 1);
        return (
          <g key={x}>
            <rect className={classes["ground"]} x={x} y={height - 1} width={barWidth} height={1} />
            <rect
              className={classes["good"]}
              x={x}
              y={height - good}
              width={barWidth}
              height={good}
            />
            <rect
              className={classes["bad"]}
              x={x}
              y={Math.max(0, height - good - bad)}
              width={barWidth}
              height={bad}
            />
          </g>
        );
      })}
    </svg>
  );
};
