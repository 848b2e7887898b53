import type { Line, Rig } from "./rig.ts";
import type { Roles } from "./stack.ts";
import { cpuMs, machineCpuMs, peakMemoryMb, treeMemoryMb } from "./usage.ts";

/** Figures by process. */
export type ByProcess = Record<string, number>;

type Measured = { pid: number; isTree?: boolean };

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

function mapValues<T>(record: Record<string, T>, map: (value: T, name: string) => number) {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, map(value, name)]),
  );
}

export type CpuUse = {
  ms: ByProcess;
  /** Cores that were busy with something that is not this bench. */
  otherCores: number;
};

/** Starts counting; the result tells what each process used since. */
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

/** Starts counting; the result tells how many cores were busy with anything but these processes. */
export function machineMeter(pids: readonly number[]): () => number {
  const stop = countCpu(Object.fromEntries(pids.map((pid) => [pid, { pid }])));
  return () => stop().otherCores;
}

/** Microseconds of CPU per delivery, by process. */
export function perDelivery(cpu: ByProcess, deliveries: number): ByProcess {
  return mapValues(cpu, (ms) => (ms * 1_000) / deliveries);
}

/** What Node's processes held at most, and what the servers hold now. */
export function memoryMb(processes: Record<string, Measured>): ByProcess {
  return mapValues(processes, ({ pid, isTree }) =>
    isTree === true ? treeMemoryMb(pid) : peakMemoryMb(pid),
  );
}

export function sumOf(figures: ByProcess, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (figures[name] ?? 0), 0);
}

/** The processes of the platform itself: what is not the bench's. */
export const platformProcesses = ["relay", "schedule", "delivery", "postgres", "redis"] as const;
