import type { Page } from "playwright-core";

export type PageTasks = Readonly<{
  count: number;
  /** The longest main-thread task by CPU time, which other processes do not affect. */
  longestMs: number;
  /** CPU of the main thread in percent of a core. */
  mainThreadPercent: number;
  /** Long tasks as the browser reports them, by wall-clock time. */
  longTasks: readonly number[];
}>;

type TraceEvent = Readonly<{
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** CPU time in microseconds. */
  tdur?: number;
  args?: { name?: string; data?: { frames?: { processId: number; url: string }[] } };
}>;

function mainThreadOf(events: readonly TraceEvent[]): TraceEvent | undefined {
  const pids = new Set(
    events
      .filter(({ name }) => name === "TracingStartedInBrowser")
      .flatMap(({ args }) => args?.data?.frames ?? [])
      .map(({ processId }) => processId),
  );
  return events.find(
    ({ name, pid, args }) =>
      name === "thread_name" && args?.name === "CrRendererMain" && pids.has(pid),
  );
}

const longTasksStart = `
  window.longTasks = [];
  window.longTaskObserver = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  });
  window.longTaskObserver.observe({ type: "longtask" })`;

/** The tasks of the main thread during `work`. */
export async function watchTasks(page: Page, work: () => Promise<void>): Promise<PageTasks> {
  const browser = page.context().browser();
  if (browser === null) {
    throw new Error("The page has no browser of its own");
  }
  await page.evaluate(longTasksStart);
  await browser.startTracing(page, {
    categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"],
  });
  const startedMs = performance.now();
  await work();
  const tookMs = performance.now() - startedMs;
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const longTasks = await page.evaluate<number[]>(
    "window.longTaskObserver.disconnect(), window.longTasks",
  );
  const main = mainThreadOf(trace.traceEvents);
  const tasks = trace.traceEvents
    .filter(
      ({ name, pid, tid, tdur }) =>
        name === "RunTask" && pid === main?.pid && tid === main.tid && tdur !== undefined,
    )
    .map(({ tdur = 0 }) => tdur / 1_000);
  return {
    count: tasks.length,
    longestMs: Math.max(0, ...tasks),
    mainThreadPercent: (100 * tasks.reduce((sum, ms) => sum + ms, 0)) / tookMs,
    longTasks,
  };
}
