/**
 * The headline figures of each part, which are recorded in the history, compared, and shown in the
 * docs.
 */
import type { Part } from "../plan.ts";
import type { Measurements } from "../results.ts";
import type { SizePhase } from "../scenarios/history-size.ts";
import type { LoadResult } from "../scenarios/load.ts";
import { platformProcesses, sumOf, systemProcesses, type ByProcess } from "../support/costs.ts";
import { mapValues } from "../support/statistics.ts";
import type { Trend } from "../support/trend.ts";
import { ratioToEmpty } from "./ratio-to-empty.ts";

/** `times`: a ratio within the part. */
export type Unit =
  | "per second"
  | "ms"
  | "CPU µs"
  | "CPU ms per second"
  | "% of a core"
  | "MB"
  | "times";

export type Figure = Readonly<{
  part: Part;
  /** Unique within the part. It does not change when the display name changes. */
  key: string;
  name: string;
  unit: Unit;
  better: "higher" | "lower";
  /** A component of the preceding figure: recorded and drawn, but not marked as a regression. */
  isDetail?: boolean;
  read: (measured: Measurements) => number | undefined;
}>;

type Own = Omit<Figure, "part">;

const rate = (key: string, name: string, read: Figure["read"]): Own => ({
  ...{ key, name, read, unit: "per second", better: "higher" },
});

const lower =
  (unit: Unit) =>
  (key: string, name: string, read: Figure["read"]): Own => ({
    ...{ key, name, read, unit, better: "lower" },
  });

const ms = lower("ms");
const cpuUs = lower("CPU µs");
const times = lower("times");
const percent = lower("% of a core");

/** CPU in total and per process. */
function cpuFigures(
  key: string,
  name: string,
  read: (measured: Measurements) => ByProcess | undefined,
): Own[] {
  const of = (processes: readonly string[]) => (measured: Measurements) => {
    const cpu = read(measured);
    return cpu === undefined ? undefined : sumOf(cpu, processes);
  };
  return [
    cpuUs(key, name, of(platformProcesses)),
    ...platformProcesses.map((process) => ({
      ...cpuUs(`${key}-${process}`, `${name}: ${process}`, of([process])),
      isDetail: true,
    })),
  ];
}

function loadFigures(read: (measured: Measurements) => LoadResult | undefined): Own[] {
  const latency = (kind: "quiet" | "busy", quantile: "p50" | "p99") => (measured: Measurements) =>
    read(measured)?.[kind].fromCommitMs[quantile];
  return [
    rate("sustained", "written and delivered at once", (m) => read(m)?.sustained.perSecond),
    ms("quiet-p50", "50 events/s, p50", latency("quiet", "p50")),
    ms("quiet-p99", "50 events/s, p99", latency("quiet", "p99")),
    ms("busy-p50", "70 % of the maximum, p50", latency("busy", "p50")),
    ms("busy-p99", "70 % of the maximum, p99", latency("busy", "p99")),
    ...cpuFigures("quiet-cpu", "CPU of an event at 50/s", (m) => read(m)?.quiet.cpuUsPerDelivery),
    lower("CPU ms per second")("idle", "idle", (m) => {
      const cpu = read(m)?.idle.cpuMsPerSecond;
      return cpu === undefined ? undefined : sumOf(cpu, platformProcesses);
    }),
  ];
}

function slowest(percentiles: Record<string, { p95: number }> | undefined): number | undefined {
  return percentiles === undefined
    ? undefined
    : Math.max(...Object.values(percentiles).map(({ p95 }) => p95));
}

function ratioOf(ratios: Record<string, number> | undefined, word: string): number | undefined {
  return Object.entries(ratios ?? {}).find(([name]) => name.includes(word))?.[1];
}

function sizeFigures(phase: "behind" | "waiting", name: string): Own[] {
  const compare =
    (read: (one: SizePhase) => number) =>
    ({ historySize }: Measurements) =>
      historySize === undefined ? undefined : ratioToEmpty(historySize[phase], read);
  const higher = (key: string, of: string, read: Figure["read"]): Own => ({
    ...times(key, of, read),
    better: "higher",
  });
  return [
    higher(
      `${phase}-drain`,
      `${name}: drain`,
      compare(({ drain }) => drain.perSecond),
    ),
    higher(
      `${phase}-sustained`,
      `${name}: written and delivered at once`,
      compare(({ sustained }) => sustained.perSecond),
    ),
    times(
      `${phase}-cpu`,
      `${name}: CPU of a delivery`,
      compare(({ drain }) => sumOf(drain.cpuUsPerDelivery, platformProcesses)),
    ),
    times(
      `${phase}-p99`,
      `${name}: p99 at 50 events/s`,
      compare(({ quiet }) => quiet.fromCommitMs.p99),
    ),
  ];
}

function soakFigures(): Own[] {
  const memory = (process: string): Own =>
    times(`memory-${process.replace(" ", "-")}`, `memory of ${process}, last third`, (m) =>
      growthOf(m.soak?.memory[process]),
    );
  return [
    rate("rate", "events at 70 % of the maximum", (m) => m.soak?.perSecond),
    ...[...platformProcesses, "redis data"].map(memory),
    times("p99", "p99, last third", (m) => growthOf(m.soak?.p99)),
  ];
}

function growthOf(trend: Trend | undefined): number | undefined {
  return trend?.growth;
}

const ofPart: Partial<Record<Part, Own[]>> = {
  throughput: [
    rate("drain", "backlog of one webhook", (m) => m.throughput?.drains["platform"]?.perSecond),
    rate(
      "drain-10",
      "backlog of ten webhooks",
      (m) => m.throughput?.drains["platform, 10 subscriptions"]?.perSecond,
    ),
    ...cpuFigures(
      "cpu",
      "CPU of a delivery",
      (m) => m.throughput?.drains["platform"]?.cpuUsPerDelivery,
    ),
  ],
  latency: loadFigures((m) => m.latency),
  "bare-chain": [
    cpuUs(
      "cpu",
      "CPU of a change at 50/s",
      ({ bareChain }) => bareChain && sumOf(bareChain.platform.cpuUsPerChange, systemProcesses),
    ),
    cpuUs(
      "chain-cpu",
      "CPU of a change, bare chain",
      ({ bareChain }) => bareChain && sumOf(bareChain.chain.cpuUsPerChange, systemProcesses),
    ),
    times("cpu-ratio", "CPU of a change, ratio to the bare chain", (m) => m.bareChain?.ratios.cpu),
    ms("arrival", "change to receiver, p50", (m) => m.bareChain?.platform.arrivalMs.p50),
    ms("chain-arrival", "change to receiver, bare chain", (m) => m.bareChain?.chain.arrivalMs.p50),
    times(
      "arrival-ratio",
      "change to receiver, ratio to the bare chain",
      (m) => m.bareChain?.ratios.arrival,
    ),
    ms("answer", "change to answer, p50", (m) => m.bareChain?.platform.answerMs.p50),
  ],
  postgres: [
    rate("drain", "backlog of one webhook", (m) => m.postgres?.drain.perSecond),
    ...loadFigures((m) => m.postgres),
  ],
  api: [
    rate("tickets", "tickets of 16 clients", (m) => m.api?.at(-1)?.perSecond),
    ms("p50", "answer, p50", (m) => m.api?.at(-1)?.latencyMs.p50),
    ms("p99", "answer, p99", (m) => m.api?.at(-1)?.latencyMs.p99),
    cpuUs("cpu", "CPU of a ticket", (m) => {
      const cpu = m.api?.at(-1)?.cpuUsPerTicket;
      return cpu === undefined ? undefined : sumOf(cpu, systemProcesses);
    }),
  ],
  lists: [ms("slowest", "slowest list, p95", (m) => slowest(m.lists?.answersMs))],
  claim: [
    cpuUs("cpu", "a claim in a batch of 100", (m) => {
      const one = m.claim?.at(-1);
      return one === undefined
        ? undefined
        : one.clientCpuUsPerDelivery + one.serverCpuUsPerDelivery;
    }),
  ],
  "delivery-log": [
    ms("slowest", "slowest search, p95", ({ deliveryLog }) =>
      slowest(deliveryLog && mapValues(deliveryLog.searches, (search) => search.ms)),
    ),
  ],
  live: [
    percent("viewer", "one viewer, web and Postgres", ({ live }) => {
      const one = live?.phases.find(({ viewers }) => viewers === 1);
      return one === undefined ? undefined : one.webPercent + one.postgresPercent;
    }),
    ms("task", "longest task of the page", (m) => m.live?.page.longestCpuMs),
  ],
  isolation: [
    ms("healthy-p99", "all healthy, p99", (m) => m.isolation?.phases[0]?.fromCommitMs.p99),
    times("working", "p99 while 20 more work", (m) => ratioOf(m.isolation?.ratios, "work")),
    times("hanging", "p99 while 20 more hang", (m) => ratioOf(m.isolation?.ratios, "hang")),
    times("failing", "p99 while 20 more answer 500", (m) => ratioOf(m.isolation?.ratios, "500")),
  ],
  outage: [
    rate("catch-up", "the receiver that came back", ({ outage }) =>
      outage === undefined ? undefined : outage.waiting / outage.drainSeconds,
    ),
    times("others", "p99 of the others during it", (m) => m.outage?.ratio),
    lower("MB")("redis", "Redis, at most", (m) => m.outage?.redisMb.most),
  ],
  rooms: [
    percent("web", "rooms on one web process", (m) => m.rooms?.phases[0]?.webPercent),
    ms("pointer", "pointer, p95", (m) => m.rooms?.phases[0]?.pointerMs.p95),
  ],
  calls: [
    ms("first-p50", "link opened to first picture, p50", (m) => m.calls?.firstFrameMs.p50),
    ms("first-p95", "link opened to first picture, p95", (m) => m.calls?.firstFrameMs.p95),
  ],
  "history-size": [
    ...sizeFigures("behind", "attempts in the log"),
    ...sizeFigures("waiting", "also many that wait"),
  ],
  soak: soakFigures(),
};

const byPart = new Map(
  Object.entries(ofPart).map(([part, own]) => [
    part,
    own.map((figure): Figure => ({ ...figure, part: part as Part })),
  ]),
);

/** The part `statements` has no headline figures: it explains those of the other parts. */
export function figuresOf(part: Part): readonly Figure[] {
  return byPart.get(part) ?? [];
}

/** The figures that were measured, by key. */
export function readFigures(part: Part, measured: Measurements): Record<string, number> {
  return Object.fromEntries(
    figuresOf(part).flatMap(({ key, read }) => {
      const value = read(measured);
      return value === undefined || Number.isNaN(value) ? [] : [[key, value]];
    }),
  );
}
