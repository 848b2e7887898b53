import type { Line, Rig } from "./rig.ts";
import type { Roles } from "./stack.ts";
import { mapValues } from "./statistics.ts";
import { cpuMs, machineCpuMs, peakMemoryMb, treeMemoryMb } from "./usage.ts";

/** A figure per process, by the name of the process. */
export type ByProcess = Record<string, number>;

export type Measured = { pid: number; isTree?: boolean };

export function processesOf(rig: Rig, roles: Roles, line?: Line): Record<string, Measured> {
  return {
    relay: { pid: roles.relay.pid },
    schedule: { pid: roles.schedule.pid },
    delivery: { pid: roles.delivery.pid },
    postgres: { pid: rig.stack.postgresPid, isTree: true },
    redis: { pid: rig.stack.redisPid },
    receiver: { pid: rig.receiverPid },
    ...(line === undefined ? {} : { generator: { pid: line.generatorPid } }),
  };
}

export type CpuUse = {
  ms: ByProcess;
  /** Cores used by other programs. */
  otherCores: number;
};

/** Starts a measurement; the result returns the CPU of each process since. */
export function countCpu(processes: Record<string, Measured>): () => CpuUse {
  const sample = () => ({
    at: performance.now(),
    machineMs: machineCpuMs(),
    ms: mapValues(processes, ({ pid, isTree }) => cpuMs(pid, isTree === true)),
  });
  const before = sample();
  return () => {
    const after = sample();
    const ms = mapValues(after.ms, (value, name) => value - (before.ms[name] ?? 0));
    const otherMs = after.machineMs - before.machineMs - sumOf(ms, Object.keys(ms));
    return { ms, otherCores: Math.max(0, otherMs / (after.at - before.at)) };
  };
}

/** Starts a measurement; the result returns the cores used by other processes. */
export function machineMeter(pids: readonly number[]): () => number {
  const stop = countCpu(Object.fromEntries(pids.map((pid) => [pid, { pid }])));
  return () => stop().otherCores;
}

/** CPU microseconds per delivery, by process. */
export function perDelivery(cpu: ByProcess, deliveries: number): ByProcess {
  return mapValues(cpu, (ms) => (ms * 1_000) / deliveries);
}

/** Peak memory of Node processes, current memory of servers. */
export function memoryMb(processes: Record<string, Measured>): ByProcess {
  return mapValues(processes, ({ pid, isTree }) =>
    isTree === true ? treeMemoryMb(pid) : peakMemoryMb(pid),
  );
}

export function sumOf(figures: ByProcess, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (figures[name] ?? 0), 0);
}

/** The platform's processes, without those of the bench. */
export const platformProcesses = ["relay", "schedule", "delivery", "postgres", "redis"] as const;

/** With the web process. */
export const systemProcesses = ["web", ...platformProcesses] as const;
