import uPlot from "uplot";
import { drawnColumns, type ChartData } from "./model.ts";
import { plotOptions, type Drawing, type Paint } from "./options.ts";

/** The selected point and its distance from the left edge, in pixels. */
export type Point = Readonly<{ at: number; left: number; isOnLeft: boolean }>;

export type Format = ((value: number) => string) | undefined;

/** A mounted chart that is updated in place instead of being recreated. */
export type LivePlot = Readonly<{
  setData: (data: ChartData) => void;
  setFormat: (format: Format) => void;
  setHeight: (height: number) => void;
  setScheme: (scheme: string) => void;
  /** Selects the point at this index; null clears the selection. */
  moveTo: (at: number | null) => void;
  stop: () => void;
}>;

/** Draws into this element at its width until stopped. Calls `onPoint` when the pointer moves. */
export function startPlot(
  place: HTMLElement,
  drawing: Drawing,
  onPoint: (point: Point | null) => void,
): LivePlot {
  const { paint, forget } = painter(place);
  let format: Format;
  let height = 1;
  const plot = new uPlot(
    {
      ...plotOptions(drawing, { paint, format: () => format }),
      ...{ width: place.clientWidth, height },
      hooks: { setCursor: [(one) => onPoint(pointOf(one))] },
    },
    [[], ...drawing.series.map(() => [])],
    place,
  );
  const fit = (): void => plot.setSize({ width: place.clientWidth, height });
  const observer = new ResizeObserver(fit);
  observer.observe(place);
  return {
    setData: (data) => plot.setData(drawnColumns(data, drawing)),
    setFormat: (next) => {
      format = next;
    },
    setHeight: (next) => {
      height = next;
      fit();
    },
    // The scheme is an attribute of the page, so the new colours apply from the next frame.
    setScheme: () =>
      void requestAnimationFrame(() => {
        forget();
        plot.redraw(false, true);
      }),
    moveTo: (at) => {
      const time = at === null ? undefined : plot.data[0][at];
      plot.setCursor(
        time === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(time, "x"), top: 0 },
      );
    },
    stop: () => {
      observer.disconnect();
      plot.destroy();
      place.replaceChildren();
    },
  };
}

/** Resolves design tokens to canvas colours; memoized until `forget`. */
function painter(place: HTMLElement) {
  const probe = document.createElement("span");
  probe.hidden = true;
  place.append(probe);
  const known = new Map<Paint, string>();
  const paint = (name: Paint): string => {
    const found = known.get(name);
    if (found !== undefined) {
      return found;
    }
    probe.style.color = `var(--${name})`;
    const { color } = getComputedStyle(probe);
    known.set(name, color);
    return color;
  };
  return { paint, forget: () => known.clear() };
}

function pointOf(plot: uPlot): Point | null {
  const at = plot.cursor.idx ?? null;
  const time = at === null ? undefined : plot.data[0][at];
  if (at === null || time === undefined) {
    return null;
  }
  const left = plot.valToPos(time, "x") + plot.bbox.left / uPlot.pxRatio;
  return { at, left, isOnLeft: left > plot.width / 2 };
}
