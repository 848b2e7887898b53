import { cpuMs } from "./usage.ts";

type BackendMeter = {
  /** Now and then: what a backend used that ends between two looks counts up to the look before. */
  sample(): Promise<void>;
  /** CPU of all of them together since the meter began. */
  ms(): number;
};

function sum(figures: Iterable<number>): number {
  return [...figures].reduce((all, ms) => all + ms, 0);
}

/** CPU of Postgres backends that come and go, from now on. `pidsOf` tells which there are. */
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
