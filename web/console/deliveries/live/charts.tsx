import { Skeleton } from "@mantine/core";
import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber } from "../../../base/format.ts";
import { Chart } from "../../../components/chart/chart.tsx";
import type { ChartSeries } from "../../../components/chart/model.ts";
import type { Columns } from "./columns.ts";
import classes from "./live.module.css";

const height = 200;

type ChartsProps = Readonly<{
  columns: Columns;
  /** Unit of the results: "a second". */
  unit: string;
  /** Counts instead of rates. */
  isWhole: boolean;
}>;

/** Results of deliveries, and latency from event to acknowledgement. */
export function Charts({ columns, unit, isWhole }: ChartsProps) {
  const { t } = useTranslation("deliveries");
  const { results, latency } = useSeries(columns);
  return (
    <div className={classes["charts"]}>
      <Chart
        label={t("now.chart.results")}
        unit={unit}
        times={columns.times}
        series={results}
        height={height}
        {...(isWhole ? { format: count } : {})}
        isWhole={isWhole}
        isStacked
      />
      <Chart
        label={t("now.chart.latency")}
        unit={t("now.chart.latency_unit")}
        times={columns.times}
        series={latency}
        height={height}
        format={formatDuration}
        isLog
      />
    </div>
  );
}

function useSeries(columns: Columns) {
  const { t } = useTranslation("deliveries");
  return useMemo(() => {
    const results: ChartSeries[] = [
      { name: t("now.chart.delivered"), color: "good", values: columns.delivered },
      { name: t("now.chart.retried"), color: "warn", values: columns.failed },
      { name: t("now.chart.dead"), color: "bad", values: columns.dead },
    ];
    const latency: ChartSeries[] = [
      { name: "p50", color: "accent", values: columns.p50, line: "solid" },
      { name: "p95", color: "second", values: columns.p95, line: "dashed" },
      { name: "p99", color: "text", values: columns.p99, line: "dotted" },
    ];
    return { results, latency };
  }, [columns, t]);
}

/** The chart's header shows the unit and the time. */
function count(value: number): string {
  return formatNumber(value);
}

export function WaitingCharts() {
  return (
    <div className={classes["charts"]} aria-hidden>
      <Skeleton height={height + 46} radius="md" />
      <Skeleton height={height + 46} radius="md" />
    </div>
  );
}
