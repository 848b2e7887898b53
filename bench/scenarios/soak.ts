/**
 * A long run at 70 % of the maximum without a pause, during which the memory of each process and of
 * Redis is sampled (`--only=soak`). A leak of a few bytes per delivery shows as a slope.
 */
import { busyShare, busySize } from "../plan.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { processesOf, type ByProcess } from "../support/costs.ts";
import type { Line, Rig } from "../support/rig.ts";
import { calmDown, redisMemoryMb, type RoleOptions } from "../support/stack.ts";
import { trendOf, type Trend } from "../support/trend.ts";
import { memoryMb, privateMemoryMb } from "../support/usage.ts";
import { warmUp } from "./drain.ts";
import { runOpenLoop } from "./latency.ts";
import { sustain } from "./sustain.ts";

export type MemorySample = { minute: number; mb: ByProcess };

export type SoakResult = {
  minutes: number;
  maxPerSecond: number;
  perSecond: number;
  deliveries: number;
  samples: MemorySample[];
  /** Latencies of each stretch of the load. */
  latencies: { minute: number; p50: number; p99: number }[];
  /** Memory by process in MB; the slope is per minute. */
  memory: Record<string, Trend>;
  p99: Trend;
};

export type SoakOptions = {
  line: Line;
  roles: RoleOptions;
  minutes: number;
  sustainSeconds: number;
  warmUpEvents: number;
};

const sampleEveryMs = 5_000;

/**
 * The generator keeps the times of a whole stretch in memory, so a long soak consists of many
 * stretches.
 */
const stretchSeconds = 30;

/** Samples until it is stopped. For servers with many processes, shared pages are not counted. */
function startSampling(
  rig: Rig,
  processes: ReturnType<typeof processesOf>,
): { samples: MemorySample[]; minute: () => number; stop: () => Promise<void> } {
  const { receiver: _receiver, ...platform } = processes;
  const startedAt = performance.now();
  const minute = (): number => (performance.now() - startedAt) / 60_000;
  const samples: MemorySample[] = [];
  const controller = new AbortController();
  const sample = async (): Promise<void> => {
    const resident = Object.entries(platform).map(([name, { pid, isTree }]) => [
      name,
      isTree === true ? privateMemoryMb(pid) : memoryMb(pid),
    ]);
    const mb: ByProcess = Object.fromEntries(resident);
    samples.push({ minute: minute(), mb: { ...mb, "redis data": await redisMemoryMb(rig.stack) } });
  };
  const run = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      await sample();
      await sleep(sampleEveryMs, controller.signal);
    }
  };
  const running = run();
  // `stop` reports a failure, after the current stretch.
  running.catch(() => undefined);
  return {
    samples,
    minute,
    stop: async () => {
      controller.abort();
      await running;
    },
  };
}

function memoryTrends(samples: readonly MemorySample[]): Record<string, Trend> {
  const names = Object.keys(samples[0]?.mb ?? {});
  const seriesOf = (name: string) =>
    samples.map(({ minute, mb }) => ({ at: minute, value: mb[name] ?? Number.NaN }));
  return Object.fromEntries(names.map((name) => [name, trendOf(seriesOf(name))]));
}

export async function soak(rig: Rig, options: SoakOptions): Promise<SoakResult> {
  const { line, minutes, sustainSeconds, warmUpEvents } = options;
  await warmUp(rig, { line, roles: options.roles, events: warmUpEvents });
  const { perSecond: maxPerSecond } = await sustain(rig, {
    ...{ line, roles: options.roles, seconds: sustainSeconds, size: busySize },
  });
  const perSecond = Math.floor(maxPerSecond * busyShare);
  const roles = await rig.useRoles(options.roles);
  await calmDown(rig.stack);
  const sampling = startSampling(rig, processesOf(rig, roles));
  const latencies: SoakResult["latencies"] = [];
  let deliveries = 0;
  while (sampling.minute() < minutes) {
    const seconds = Math.min(stretchSeconds, Math.ceil((minutes - sampling.minute()) * 60));
    const { samples, fromCommitMs } = await runOpenLoop(rig, {
      ...{ line, perSecond, seconds, size: busySize },
    });
    deliveries += samples;
    const { p50, p99 } = fromCommitMs;
    latencies.push({ minute: sampling.minute(), p50, p99 });
  }
  await sampling.stop();
  const { samples } = sampling;
  return {
    ...{ minutes, maxPerSecond, perSecond, deliveries, samples, latencies },
    memory: memoryTrends(samples),
    p99: trendOf(latencies.map(({ minute, p99 }) => ({ at: minute, value: p99 }))),
  };
}
