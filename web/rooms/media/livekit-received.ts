/** What arrives from a LiveKit server, by the page that sends it. */
import type { RemoteTrackPublication, Room } from "livekit-client";
import type { LivekitSdk } from "./livekit-sdk.ts";
import { followShownSizes, type SizedTrack } from "./shown-size.ts";

type ReceivedTracks = Readonly<{
  /** Camera and microphone. */
  stream: readonly MediaStreamTrack[];
  screen: readonly MediaStreamTrack[];
}>;

export function receivedTracks({ Track }: LivekitSdk, room: Room, peerId: string): ReceivedTracks {
  const publications = publicationsOf(room, peerId);
  const tracks = (isWanted: (publication: RemoteTrackPublication) => boolean) =>
    publications.filter(isWanted).flatMap(({ track }) => track?.mediaStreamTrack ?? []);
  return {
    stream: tracks(({ source }) => source !== Track.Source.ScreenShare),
    screen: tracks(({ source }) => source === Track.Source.ScreenShare),
  };
}

/** Out: stops it. */
export function followReceivedSizes(room: Room): () => void {
  return followShownSizes(() => sizedTracks(room));
}

function sizedTracks(room: Room): SizedTrack[] {
  return [...room.remoteParticipants.values()].flatMap((participant) =>
    [...participant.videoTrackPublications.values()].flatMap((publication) => {
      const track = publication.track?.mediaStreamTrack;
      const setSize: SizedTrack["setSize"] = (size) => publication.setVideoDimensions(size);
      return track === undefined ? [] : [{ track, setSize }];
    }),
  );
}

/** By the id of the page; of all its tracks together. */
export async function receivedStats(room: Room): Promise<ReadonlyMap<string, RTCStatsReport>> {
  const found = new Map<string, RTCStatsReport>();
  for (const peerId of room.remoteParticipants.keys()) {
    const tracks = publicationsOf(room, peerId).flatMap(({ track }) => track ?? []);
    const reports = await Promise.all(tracks.map((track) => track.getRTCStatsReport()));
    found.set(peerId, new Map(reports.flatMap((report) => [...(report ?? [])])));
  }
  return found;
}

function publicationsOf(room: Room, peerId: string): RemoteTrackPublication[] {
  return [...(room.remoteParticipants.get(peerId)?.trackPublications.values() ?? [])];
}

export function setTracks(stream: MediaStream, tracks: readonly MediaStreamTrack[]): void {
  const present = stream.getTracks();
  present.filter((track) => !tracks.includes(track)).forEach((track) => stream.removeTrack(track));
  tracks.filter((track) => !present.includes(track)).forEach((track) => stream.addTrack(track));
}
