import { setImmediate } from "node:timers/promises";
import { eventually } from "./eventually.ts";

/** Handles that keep the process alive, except those of mocha and the loader. */
const watched = new Set([
  ...["TCPSocketWrap", "TCPServerWrap", "TCPWRAP", "TLSWrap", "PipeServerWrap", "UDPWrap"],
  ...["ProcessWrap", "FSEventWrap", "StatWatcher", "Timeout", "Worker"],
]);

export type Resources = ReadonlyMap<string, number>;

async function countAll(): Promise<Map<string, number>> {
  await setImmediate();
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (watched.has(kind)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Resources that a worker keeps open across files (its browser and its platform), and functions
 * that close them.
 */
const kept = new Map<string, number>();
const ends: (() => Promise<unknown>)[] = [];

/**
 * Runs `work`. The resources that it leaves open do not count as leaks of a file until `end` closes
 * them. Do not open other resources concurrently.
 */
export async function keepOpen<T>(
  work: () => Promise<T>,
  end: (made: T) => Promise<unknown>,
): Promise<T> {
  const before = await countAll();
  const made = await work();
  for (const [kind, count] of await countAll()) {
    const more = count - (before.get(kind) ?? 0);
    if (more > 0 && kind !== "Timeout") {
      kept.set(kind, (kept.get(kind) ?? 0) + more);
    }
  }
  ends.push(() => end(made));
  return made;
}

/** Closes kept resources: an unused platform takes CPU from the other tests. */
export async function endKept(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
  kept.clear();
}

/**
 * Asynchronous, so that mocha's timer for the calling hook is running, and is counted every time.
 */
export async function openResources(): Promise<Resources> {
  const counts = await countAll();
  return new Map([...counts].map(([kind, count]) => [kind, count - (kept.get(kind) ?? 0)]));
}

async function surplus(before: Resources): Promise<string[]> {
  return [...(await openResources())].flatMap(([kind, count]) => {
    const more = count - (before.get(kind) ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
}

/**
 * Throws if more resources are open than before. Sockets and pools close asynchronously, so it
 * retries: longer than `fetch` keeps an idle connection, and than a destroyed pool keeps a pending
 * acquire (10 s).
 */
export async function expectNoLeaks(before: Resources): Promise<void> {
  let left: string[] = [];
  try {
    await eventually(
      async () => {
        left = await surplus(before);
        return left.length === 0;
      },
      { timeoutMs: 12_000 },
    );
  } catch {
    throw new Error(`Left open after the tests of this file: ${left.join(", ")}`);
  }
}
