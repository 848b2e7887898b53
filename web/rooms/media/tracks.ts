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
 * Whether what was found replaces the present device, which then stops. A browser may ask for long:
 * the device may no longer be wanted, or another request may have opened it.
 */
export function isAdopted(
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
