/** Tables about the cost of the live view. */
import { percent, table, type Table } from "./table.ts";
import type { LiveResult } from "../scenarios/live.ts";

export function liveTables({ deliveries, open, phases, page, tallies }: LiveResult): Table[] {
  return [
    table(
      `The live view, over ${deliveries.toLocaleString("en-US")} deliveries in the log and ` +
        `${open.toLocaleString("en-US")} that wait; percent of one core`,
      ["who watch", "settled per second", "messages per second", "web", "its Postgres", "both"],
      phases.map((one) => [
        String(one.viewers),
        ...[one.settledPerSecond, one.messagesPerSecond, one.webPercent, one.postgresPercent],
        one.webPercent + one.postgresPercent,
      ]),
    ),
    table(
      `The live page in Chromium, bounds: no task over 100 ms; load of the machine ${page.load.toFixed(1)}`,
      [
        "settled per second",
        "tasks",
        "longest, CPU ms",
        "longest, wall ms",
        "over 50 ms",
        "main thread",
      ],
      [
        [
          ...[String(Math.round(page.settledPerSecond)), String(page.tasks)],
          ...[page.longestCpuMs, page.longestWallMs, String(page.longTasks)],
          percent(page.mainThreadPercent / 100),
        ],
      ],
    ),
    table(
      "Sums for charts, made by the schedule during the run; percent of one core",
      ["settled per second", "schedule, at most", "its Postgres"],
      [[String(Math.round(tallies.perSecond)), tallies.schedulePercent, tallies.postgresPercent]],
    ),
  ];
}
