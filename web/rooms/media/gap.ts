/** Whether a connection receives nothing at all: no media, and no reports about what it sends. Pure. */

/**
 * `open`: the network is away, and pictures are not sent. What was lost would be sent again before the
 * next whole picture, which takes a second. `long`: they are sent, in case that only this direction is
 * silent.
 */
export type Gap = "none" | "open" | "long";

export type GapState = Readonly<{ gap: Gap; bytes: number; arrivedAtMs: number }>;

/** Nothing has arrived yet, and nothing is missing. */
export const initialGap: GapState = { gap: "none", bytes: 0, arrivedAtMs: Infinity };

/** Feedback about pictures comes every quarter of a second. */
const openMs = 1_000;

const longMs = 12_000;

export function nextGap(state: GapState, bytes: number, nowMs: number): GapState {
  if (bytes > state.bytes) {
    return { gap: "none", bytes, arrivedAtMs: nowMs };
  }
  const passedMs = nowMs - state.arrivedAtMs;
  if (passedMs > longMs) {
    return { ...state, bytes, gap: "long" };
  }
  return { ...state, bytes, gap: passedMs > openMs ? "open" : "none" };
}
