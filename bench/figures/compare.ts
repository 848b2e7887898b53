/** Compares the figures of a part with the bare loop and with the last recorded run. */
import type { PartRun, Measurements } from "../results.ts";
import type { Yardstick } from "../scenarios/bare-loop.ts";
import type { Machine } from "../support/machine.ts";
import { figuresOf, type Figure, type Unit } from "./catalogue.ts";
import { recordingsOf, type History } from "./history.ts";

/** A regression above this share is marked. */
export const tolerance = 0.05;

export type Change = {
  last: number;
  date: string;
  commit: string;
  /** Relative to the last recorded run: `0.04` is 4 % more. */
  change: number;
  /** The change of the bare loop over the same time, which is the change of the machine itself. */
  loopChange: number | undefined;
  isWorse: boolean;
};

export type ComparedFigure = {
  figure: Figure;
  value: number;
  ofLoop: number | undefined;
  change: Change | undefined;
  /** Values over time, oldest first, with the current one. */
  series: { date: string; value: number }[];
};

/** The value of the bare loop in the same unit. */
function loopValue(bareLoop: Yardstick, unit: Unit): number | undefined {
  const values: Partial<Record<Unit, number>> = {
    "per second": bareLoop.perSecond,
    "CPU µs": bareLoop.cpuUsPerPost,
    ms: bareLoop.postMs,
  };
  return values[unit];
}

export function ratioToLoop(value: number, unit: Unit, bareLoop: Yardstick): number | undefined {
  const loop = loopValue(bareLoop, unit);
  return loop === undefined ? undefined : value / loop;
}

export function isWorse(better: Figure["better"], change: number): boolean {
  return better === "higher" ? change < -tolerance : change > tolerance;
}

type Recordings = ReturnType<typeof recordingsOf>;

function changeOf(
  figure: Figure,
  value: number,
  { recordings, bareLoop }: { recordings: Recordings; bareLoop: Yardstick },
): Change | undefined {
  const recorded = recordings.findLast(({ figures }) => figures[figure.key] !== undefined);
  const last = recorded?.figures[figure.key];
  if (recorded === undefined || last === undefined) {
    return undefined;
  }
  const change = value / last - 1;
  const loopBefore = loopValue(recorded.bareLoop, figure.unit);
  const loopNow = loopValue(bareLoop, figure.unit);
  return {
    ...{ last, change, date: recorded.date, commit: recorded.commit },
    loopChange:
      loopBefore === undefined || loopNow === undefined ? undefined : loopNow / loopBefore - 1,
    isWorse: figure.isDetail !== true && isWorse(figure.better, change),
  };
}

/** The figures of one part of a run. */
export function compare(
  { part, load, bareLoop }: Pick<PartRun, "part" | "load" | "bareLoop">,
  run: { measured: Measurements; machine: Machine; startedAt: string; history: History },
): ComparedFigure[] {
  // A report may be rendered again after its own run and later ones were added to the history.
  const recordings = recordingsOf(run.history, { machine: run.machine, part, load }).filter(
    ({ date }) => date < run.startedAt,
  );
  return figuresOf(part).flatMap((figure) => {
    const value = figure.read(run.measured);
    if (value === undefined || Number.isNaN(value)) {
      return [];
    }
    const earlier = recordings.flatMap(({ date, figures }) => {
      const old = figures[figure.key];
      return old === undefined ? [] : [{ date, value: old }];
    });
    return [
      {
        ...{ figure, value, ofLoop: ratioToLoop(value, figure.unit, bareLoop) },
        change: changeOf(figure, value, { recordings, bareLoop }),
        series: [...earlier, { date: run.startedAt, value }],
      },
    ];
  });
}
