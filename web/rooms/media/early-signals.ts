/** Signals of pages that changed to the mesh before this page. */
import type { CallSignal } from "../../../src/contracts/room-messages.ts";

export type EarlySignals = Readonly<{
  add(from: string, signal: CallSignal): void;
  /** Forgets them as well. */
  take(): readonly Readonly<{ from: string; signal: CallSignal }>[];
}>;

/** Older ones belong to a connection that was closed when the route changed the last time. */
const maxAgeMs = 5_000;

const maxSignals = 100;

export function createEarlySignals(nowMs: () => number = () => performance.now()): EarlySignals {
  let kept: { from: string; signal: CallSignal; atMs: number }[] = [];
  return {
    add: (from, signal) => {
      kept = [...kept, { from, signal, atMs: nowMs() }].slice(-maxSignals);
    },
    take: () => {
      const taken = kept.filter(({ atMs }) => nowMs() - atMs <= maxAgeMs);
      kept = [];
      return taken;
    },
  };
}
