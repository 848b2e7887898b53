import type { Captured } from "./capture.ts";

export function sameTracks(
  stream: MediaStream | undefined,
  tracks: readonly MediaStreamTrack[],
): boolean {
  const present = stream?.getTracks() ?? [];
  return (
    stream !== undefined &&
    present.length === tracks.length &&
    tracks.every((track) => present.includes(track))
  );
}

export function isLive(track: MediaStreamTrack | undefined): boolean {
  return track?.readyState === "live";
}

/**
 * Stops the present track, or the one that was found: a browser may ask for long, until which the
 * device may no longer be wanted, or another request may have opened it. Returns whether what was
 * found takes the place of the present one.
 */
export function stopUnused(
  found: Captured,
  present: MediaStreamTrack | undefined,
  isWanted: boolean,
): boolean {
  if ("fault" in found) {
    return isWanted && !isLive(present);
  }
  (isWanted ? present : found.track)?.stop();
  return isWanted;
}
