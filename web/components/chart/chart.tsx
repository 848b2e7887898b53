/**
 * A time series chart with a legend, exact values on hover and by arrow keys, a text summary for
 * screen readers, and the same data as a table.
 *
 *     <Chart label="Deliveries" unit="a second" times={times} series={series} isStacked />
 *
 * New `times` and `series` with the same names update the existing chart, which is cheap enough for
 * live data. Keep both references stable while the data does not change.
 */
import { ActionIcon, Skeleton, Text, Tooltip } from "@mantine/core";
import { IconChartLine, IconTable } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber, zoneName } from "../../base/format.ts";
import { lazyPart } from "../lazy-part.tsx";
import { PartBoundary } from "../error-boundary.tsx";
import { ChartTable } from "./chart-table.tsx";
import { extentOf, type ChartData, type ChartSeries } from "./model.ts";
import { pointName, type Grain } from "./times.ts";
import classes from "./chart.module.css";

export type ChartProps = Readonly<{
  /** The chart's heading. */
  label: string;
  /** Unit of the values: "ms", "a second". `""` for plain counts. */
  unit: string;
  /** Unix seconds, ascending; each series has one value per time. */
  times: readonly number[];
  /** In a stacked chart, the first series is at the bottom. */
  series: readonly ChartSeries[];
  /** The series are parts of a whole. */
  isStacked?: boolean;
  /** Draws bars instead of lines, for daily counts. */
  isBars?: boolean;
  /** `day` if each time is the midnight that starts a whole day. */
  grain?: Grain;
  /** Counts: no fractions on the axis. */
  isWhole?: boolean;
  /** Logarithmic scale, for durations with a few large outliers. */
  isLog?: boolean;
  /** Formats a value with its unit; the default is the number followed by `unit`. */
  format?: (value: number) => string;
  /** Height of the plot, in pixels. */
  height?: number;
}>;

export function Chart(props: ChartProps) {
  const { label, times, series } = props;
  const [isTable, setTable] = useState(false);
  const data = useMemo(() => ({ times, series }), [times, series]);
  return (
    <figure className={classes["chart"]} aria-label={label}>
      <figcaption className={classes["head"]}>
        <span className={classes["title"]}>{label}</span>
        <Head {...props} />
        <Legend series={series.length > 1 ? series : []} />
        <Toggle isTable={isTable} onToggle={() => setTable(!isTable)} />
      </figcaption>
      <Body props={props} data={data} isTable={isTable} />
    </figure>
  );
}

/** Shows the unit, the scale and the time zone. */
function Head({ unit, times, grain = "moment", isLog = false }: ChartProps) {
  const { t } = useTranslation();
  const last = times.at(-1);
  const words = [
    unit,
    isLog ? t("chart.log") : "",
    grain === "day" || last === undefined ? "" : zoneName(new Date(last * 1_000)),
  ].filter((word) => word !== "");
  return words.length === 0 ? null : <span className={classes["unit"]}>{words.join(" · ")}</span>;
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <ul className={classes["legend"]}>
      {series.map(({ name, color, line }) => (
        <li key={name}>
          <span className={classes["swatch"]} data-color={color} data-line={line} aria-hidden />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Toggle({ isTable, onToggle }: { isTable: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  const name = t(isTable ? "chart.as_chart" : "chart.as_table");
  const Picture = isTable ? IconChartLine : IconTable;
  return (
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={name} onClick={onToggle}>
        <Picture size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

const Plot = lazyPart(async () => (await import("./plot.tsx")).Plot);

type BodyProps = Readonly<{ props: ChartProps; data: ChartData; isTable: boolean }>;

/** The plot, the table or the empty state, all of the same height. */
function Body({ props, data, isTable }: BodyProps) {
  const { t } = useTranslation();
  const { label, unit, format, height = 220, grain = "moment" } = props;
  const { isStacked = false, isBars = false, isWhole = false, isLog = false } = props;
  const exact = exactly(unit, format);
  const summary = useSummary(data, label, { grain, exact });
  const shared = { data, label, grain, height, exact };
  if (data.times.length === 0) {
    return (
      <Text className={classes["nothing"] ?? ""} style={{ height }} c="dimmed" size="sm">
        {t("chart.nothing")}
      </Text>
    );
  }
  return isTable ? (
    <ChartTable {...shared} />
  ) : (
    <PartBoundary placeholder={<Skeleton height={height} />}>
      <Plot {...shared} {...{ summary, format, isStacked, isBars, isWhole, isLog }} />
    </PartBoundary>
  );
}

function exactly(unit: string, format: ChartProps["format"]) {
  return (value: number) =>
    format?.(value) ??
    `${formatNumber(value, { maximumFractionDigits: 3 })}${unit === "" ? "" : `\u00A0${unit}`}`;
}

type SummaryProps = Readonly<{ grain: Grain; exact: (value: number) => string }>;

function useSummary(data: ChartData, label: string, rest: SummaryProps): string {
  const { t } = useTranslation();
  const { grain, exact } = rest;
  const first = data.times[0];
  const last = data.times.at(-1);
  if (first === undefined || last === undefined) {
    return label;
  }
  const sentences = data.series.map(({ name, values }) => {
    const extent = extentOf(values);
    return extent === undefined
      ? t("chart.nothing_of", { name })
      : t("chart.extent", {
          name,
          last: exact(extent.last),
          least: exact(extent.least),
          most: exact(extent.most),
        });
  });
  const period = t("chart.period", { from: pointName(first, grain), to: pointName(last, grain) });
  return `${label}. ${period} ${sentences.join(" ")}`;
}
