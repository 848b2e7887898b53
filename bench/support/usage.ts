/** CPU (in ticks of 10 ms) and memory (in kB) of processes, from /proc. */
import { readdirSync, readFileSync } from "node:fs";

const msPerTick = 10;

type Stat = { parent: number; ownMs: number; childrenMs: number };

function readStat(pid: number | string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may contain any character.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (index: number): number => Number(fields[index]);
    return {
      parent: at(1),
      ownMs: (at(11) + at(12)) * msPerTick,
      childrenMs: (at(13) + at(14)) * msPerTick,
    };
  } catch {
    return undefined; // the process ended between two reads
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && readStat(name)?.parent === parent)
    .map(Number);
}

/**
 * CPU time so far. `withChildren` includes running and ended children, for a server with many
 * processes.
 */
export function cpuMs(pid: number, withChildren: boolean): number {
  const own = readStat(pid);
  if (own === undefined) {
    return Number.NaN;
  }
  if (!withChildren) {
    return own.ownMs;
  }
  const living = childrenOf(pid).map((child) => readStat(child)?.ownMs ?? 0);
  return living.reduce((total, ms) => total + ms, own.ownMs + own.childrenMs);
}

function readStatus(pid: number): (field: string) => number {
  let text = "";
  try {
    text = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    // the process has ended
  }
  return (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "mu").exec(text)?.[1] ?? 0) / 1024;
}

/** CPU time of the whole machine so far, to compute the share of other programs. */
export function machineCpuMs(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user, nice, system, , , irq, softirq, steal] = line.split(/\s+/u).slice(1).map(Number);
  return sum([user, nice, system, irq, softirq, steal]) * msPerTick;
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

/** Current resident memory of a process. */
export function memoryMb(pid: number): number {
  return readStatus(pid)("VmRSS");
}

export function peakMemoryMb(pid: number): number {
  return readStatus(pid)("VmHWM");
}

/** Memory of a process and its children; shared pages count once. */
export function treeMemoryMb(pid: number): number {
  const statuses = [pid, ...childrenOf(pid)].map(readStatus);
  return privateMemoryMb(pid) + Math.max(...statuses.map((read) => read("RssShmem")));
}

/** Memory that a process and its children do not share. */
export function privateMemoryMb(pid: number): number {
  return sum([pid, ...childrenOf(pid)].map((one) => readStatus(one)("RssAnon")));
}

export function assertLinux(): void {
  if (process.platform !== "linux") {
    throw new Error("The benchmark reads /proc and runs on Linux only");
  }
}
