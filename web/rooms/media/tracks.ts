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
