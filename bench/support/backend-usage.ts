import { cpuMs } from "./usage.ts";

type BackendMeter = {
  /** Sampling interval. A backend that ends between two samples counts up to the last one. */
  sample(): Promise<void>;
  /** Total CPU since the meter started. */
  ms(): number;
};

function sum(figures: Iterable<number>): number {
  return [...figures].reduce((all, ms) => all + ms, 0);
}

/**
 * Measures the CPU of Postgres backends, including those that start or end during the run. `pidsOf`
 * returns the current ones.
 */
export async function meterBackends(pidsOf: () => Promise<number[]>): Promise<BackendMeter> {
  const last = new Map<number, number>();
  const sample = async (): Promise<void> => {
    for (const pid of await pidsOf()) {
      const ms = cpuMs(pid, false);
      if (!Number.isNaN(ms)) {
        last.set(pid, ms);
      }
    }
  };
  await sample();
  const before = sum(last.values());
  return { sample, ms: () => sum(last.values()) - before };
}
