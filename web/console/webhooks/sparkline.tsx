import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import classes from "./sparkline.module.css";
import { bucketTotals, totalsOf } from "./sparkline-points.ts";
import type { SeriesPoint } from "./types.ts";

const height = 22;
const barWidth = 4;

/** The deliveries of a day as bars, failed attempts on top. */
export function WebhookSparkline({ points }: { points: readonly SeriesPoint[] }) {
  const { t } = useTranslation("webhooks");
  const columns = bucketTotals(points);
  const most = Math.max(1, ...columns.map(({ delivered, failed }) => delivered + failed));
  const { delivered, failed } = totalsOf(points);
  const label = t("spark", {
    ...{ of_delivered: delivered, of_failed: failed },
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
      <rect
        className={classes["ground"]}
        y={height - 1}
        width={Math.max(0, columns.length * (barWidth + 1) - 1)}
        height={1}
      />
      {columns.map((sum, at) => {
        const deliveredHeight = Math.round((sum.delivered / most) * (height - 2));
        const bad = sum.failed === 0 ? 0 : Math.max(2, Math.round((sum.failed / most) * height));
        const x = at * (barWidth + 1);
        return (
          <g key={x}>
            <rect
              className={classes["good"]}
              x={x}
              y={height - deliveredHeight}
              width={barWidth}
              height={deliveredHeight}
            />
            <rect
              className={classes["bad"]}
              x={x}
              y={Math.max(0, height - deliveredHeight - bad)}
              width={barWidth}
              height={bad}
            />
          </g>
        );
      })}
    </svg>
  );
}
