/** The drawn part of a chart, a separate chunk that loads with the first chart. */
import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { useCallback, useEffect, useId, useMemo, useState } from "react";
import { colon } from "../../base/format.ts";
import { startPlot, type Format, type LivePlot, type Point } from "./live-plot.ts";
import { pointInWords, type ChartData } from "./model.ts";
import type { Drawing } from "./options.ts";
import { pointName } from "./times.ts";
import { PointNumbers } from "./point-numbers.tsx";
import classes from "./chart.module.css";

type PlotProps = Readonly<
  Omit<Drawing, "series"> & {
    data: ChartData;
    label: string;
    /** Text summary for screen readers. */
    summary: string;
    height: number;
    /** Formats a value exactly, with its unit. */
    exact: (value: number) => string;
    /** Formats the labels of the axis. */
    format: Format;
  }
>;

export function Plot(props: PlotProps) {
  const [point, setPoint] = useState<Point | null>(null);
  const { live, place } = useLivePlot(props, setPoint);
  return (
    <div className={classes["drawing"]} style={{ height: props.height }}>
      <Walk props={props} at={point?.at} onMove={(at) => live?.moveTo(at)} />
      <div ref={place} aria-hidden className={classes["plot"]} />
      {point === null ? null : <PointNumbers {...props} point={point} />}
    </div>
  );
}

function useLivePlot(props: PlotProps, onPoint: (point: Point | null) => void) {
  const { data, height, format } = props;
  const [live, setLive] = useState<LivePlot>();
  const drawing = useDrawing(props);
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false });
  const place = useCallback(
    (element: HTMLDivElement | null) => {
      if (element === null) {
        return undefined;
      }
      const started = startPlot(element, drawing, onPoint);
      setLive(started);
      return () => {
        setLive(undefined);
        started.stop();
      };
    },
    [drawing, onPoint],
  );
  useEffect(() => live?.setFormat(format), [live, format]);
  useEffect(() => live?.setHeight(height), [live, height]);
  useEffect(() => live?.setData(data), [live, data]);
  useEffect(() => live?.setScheme(scheme), [live, scheme]);
  return { live, place };
}

/**
 * Stable reference while the configuration is unchanged, so that new values do not recreate the
 * chart.
 */
function useDrawing({ data, ...props }: PlotProps): Drawing {
  const { isStacked, isBars, isWhole, isLog, grain } = props;
  const series = data.series.map(({ name, color, line }) => ({ name, color, line }));
  const form = JSON.stringify({ series, isStacked, isBars, isWhole, isLog, grain });
  return useMemo(() => JSON.parse(form) as Drawing, [form]);
}

type WalkProps = Readonly<{
  props: PlotProps;
  at: number | undefined;
  onMove: (at: number | null) => void;
}>;

/** Arrow keys move from point to point; a screen reader reads each one. */
function Walk({ props: { data, label, summary, grain, exact }, at, onMove }: WalkProps) {
  const id = useId();
  const last = data.times.length - 1;
  const here = Math.min(at ?? last, last);
  const name = pointName(data.times[here] ?? 0, grain);
  return (
    <>
      <input
        type="range"
        className={classes["walk"]}
        min={0}
        max={last}
        value={here}
        aria-label={label}
        aria-describedby={id}
        aria-valuetext={`${name}${colon()} ${pointInWords(data, here, exact)}`}
        onChange={(event) => onMove(Number(event.currentTarget.value))}
        onFocus={() => onMove(here)}
        onBlur={() => onMove(null)}
      />
      <p id={id} className="only-heard">
        {summary}
      </p>
    </>
  );
}
