/**
 * Numbers over time, drawn: with a legend, exact numbers where one points or moves by the arrow
 * keys, all of it in words for who cannot see it, and the same numbers as a table.
 *
 *     <Chart label="Deliveries" unit="a second" times={times} series={series} isStacked />
 *
 * New `times` and `series` of the same names are drawn into the same chart: cheap enough for
 * numbers that come in every second. Keep both references where nothing changed.
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
  /** What is drawn; the chart's heading. */
  label: string;
  /** Of the values: "ms", "a second". `""` for counts of what the label names. */
  unit: string;
  /** Unix seconds, ascending; one value of each series stands for each. */
  times: readonly number[];
  /** Of a stack, the first is at the bottom. */
  series: readonly ChartSeries[];
  /** The series are parts of a whole. */
  isStacked?: boolean;
  /** Bars instead of lines: for what is counted per day. */
  isBars?: boolean;
  /** `day` where each time is the midnight that begins a whole day. */
  grain?: Grain;
  /** Counts: no fractions on the axis. */
  isWhole?: boolean;
  /** Decades instead of equal steps: for times, of which a few are much longer than all others. */
  isLog?: boolean;
  /** How values are written, unit included, where not as number and `unit`. */
  format?: (value: number) => string;
  /** Of the drawing, in pixels. */
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

/** What the values are, on which scale, and whose clock the times are of. */
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

/** The drawing, or its numbers, or that there is nothing; of one height. */
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
