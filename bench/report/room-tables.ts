/** Tables about the rooms. */
import { table, type Table } from "./table.ts";
import type { CallsResult } from "../scenarios/calls.ts";
import { percentilesOf } from "../support/statistics.ts";
import type { RoomSignallingResult } from "../scenarios/room-signalling.ts";

export function roomSignallingTables({ rooms, phases }: RoomSignallingResult): Table[] {
  return [
    table(
      `Signalling of ${rooms} rooms of two; percent of one core. Goals on one process: below 25 %, ` +
        "below 200 MB",
      [
        "web processes",
        "web",
        "Postgres",
        "clients",
        "MB idle",
        "MB",
        "MB at most",
        "cores of others",
      ],
      phases.map((one) => [
        String(one.processes),
        ...[one.webPercent, one.postgresPercent, one.clientPercent],
        one.idleMemoryMb.map(Math.round).join(" + "),
        one.memoryMb.map(Math.round).join(" + "),
        one.peakMemoryMb.map(Math.round).join(" + "),
        one.otherCores,
      ]),
    ),
    table(
      "Agent's page to customer's page, ms. Goal: pointer p95 below 100",
      ["web processes", ...["pointer p50", "p95", "p99", "max", "lost"], "chat p95", "state p95"],
      phases.map((one) => [
        String(one.processes),
        ...[one.pointerMs.p50, one.pointerMs.p95, one.pointerMs.p99, one.pointerMs.max],
        String(one.pointersLost),
        ...[one.chatMs.p95, one.stateMs.p95],
      ]),
      phases
        .filter(({ disconnects }) => disconnects > 0)
        .map(({ processes, disconnects }) => `${processes}: ${disconnects} pages lost the server`),
    ),
  ];
}

export function callTables(result: CallsResult): Table[] {
  const { firstFrameMs, outages, restart, pointerMs, photo, bitrates } = result;
  const size = `${photo.width} × ${photo.height}`;
  return [
    table(
      `Calls in Chromium (${result.calls} calls), ms`,
      ["", "p50", "p95", "max", "goal"],
      [
        [
          "link opened → first picture, without the questions",
          ...[firstFrameMs.p50, firstFrameMs.p95, firstFrameMs.max],
          "p50 < 1,500, p95 < 3,000",
        ],
        ["pointer, page to page", pointerMs.p50, pointerMs.p95, pointerMs.max, "p95 < 100"],
        [`photo of ${size}, click → shown`, photo.seenMs, "", "", "< 3,000"],
        ...outages.map(({ seconds, pictureBackMs }) => {
          const { p50, max } = percentilesOf(Float64Array.from(pictureBackMs));
          const goal = seconds === 5 ? "≤ 500" : "≤ 1,000";
          return [`network back after ${seconds} s → picture, later page`, p50, "", max, goal];
        }),
      ],
    ),
    table(
      "The web process was killed and started again in a call. Goal: nothing lost, nothing double",
      ["away, ms", "packets lost", "longest gap before, ms", "then", "entries doubled"],
      [
        [
          ...[restart.awayMs, String(restart.packetsLost)],
          ...[restart.longestGapBeforeMs, restart.longestGapMs, String(restart.entriesDoubled)],
        ],
      ],
    ),
    table(
      "What the agent receives of the customer",
      ["network", "video kbit/s", "audio kbit/s", "frames/s", "lines", "longest gap, ms"],
      bitrates.map((one) => [
        one.network,
        ...[one.videoKbit, one.audioKbit, one.fps],
        String(one.height),
        one.longestGapMs,
      ]),
    ),
  ];
}
