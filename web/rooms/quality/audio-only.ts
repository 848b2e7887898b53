/** When the camera is suspended in favor of the sound, and when it is resumed. Pure. */
import type { CallQuality } from "../../../src/contracts/room-messages.ts";

export type AudioOnlyState = Readonly<{
  isSuspended: boolean;
  /** Since when the quality is as bad, or as good, as it has to be for a change. */
  sinceMs: number | undefined;
  /** How often the camera was suspended, which increases the delay until it is resumed. */
  count: number;
}>;

export const initialAudioOnly: AudioOnlyState = {
  isSuspended: false,
  sinceMs: undefined,
  count: 0,
};

const poorMs = 10_000;

const recoveredMs = 12_000;

const maxRecoveredMs = 120_000;

/**
 * `now`: of the last sample. The quality that is shown stays poor for ten seconds after any short
 * interruption, which is no reason to take the picture away.
 */
export function nextAudioOnly(
  state: AudioOnlyState,
  { now, shown }: Readonly<{ now: CallQuality; shown: CallQuality }>,
  nowMs: number,
): AudioOnlyState {
  const isDue = state.isSuspended ? shown === "good" : now === "poor";
  if (!isDue) {
    return { ...state, sinceMs: undefined };
  }
  const sinceMs = state.sinceMs ?? nowMs;
  const limitMs = state.isSuspended
    ? Math.min(maxRecoveredMs, recoveredMs * 2 ** Math.max(0, state.count - 1))
    : poorMs;
  if (nowMs - sinceMs < limitMs) {
    return { ...state, sinceMs };
  }
  const isSuspended = !state.isSuspended;
  return { isSuspended, sinceMs: undefined, count: state.count + (isSuspended ? 1 : 0) };
}
