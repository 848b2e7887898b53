/** What this page publishes on a LiveKit server: the tracks that the devices have already opened. */
import type { LocalTrackPublication, Room, Track } from "livekit-client";
import type { LivekitSdk } from "./livekit-sdk.ts";
import type { LocalTracks } from "./media-transport.ts";
import { trackSources, type TrackSource } from "./negotiation.ts";

export type LivekitTracks = Readonly<{
  set(tracks: LocalTracks): void;
}>;

export function createLivekitTracks(sdk: LivekitSdk, room: Room): LivekitTracks {
  const published = new Map<TrackSource, LocalTrackPublication>();
  let wanted: LocalTracks = { audio: null, camera: null, screen: null };
  let work = Promise.resolve();

  const publish = async (source: TrackSource, track: MediaStreamTrack): Promise<void> => {
    const publication = await room.localParticipant.publishTrack(track, {
      ...optionsOf(sdk, source),
      source: sourceOf(sdk, source),
    });
    published.set(source, publication);
  };
  const unpublish = async (source: TrackSource): Promise<void> => {
    const track = published.get(source)?.track;
    published.delete(source);
    if (track !== undefined) {
      await room.localParticipant.unpublishTrack(track, false);
    }
  };
  const replace = async (source: TrackSource, next: MediaStreamTrack): Promise<void> => {
    const local = published.get(source)?.track;
    if (source === "camera" && local !== undefined && !local.isMuted) {
      await local.replaceTrack(next, { userProvidedTrack: true });
    } else {
      await unpublish(source);
      await publish(source, next);
    }
  };
  const apply = async (source: TrackSource): Promise<void> => {
    const next = wanted[source];
    const local = published.get(source)?.track;
    if (next === null) {
      // A muted microphone is only paused, so that the first word after it is not lost.
      await (source === "audio" && local !== undefined ? local.pauseUpstream() : unpublish(source));
    } else if (local?.mediaStreamTrack !== next) {
      await replace(source, next);
    } else if (local.isUpstreamPaused) {
      await local.resumeUpstream();
    }
  };
  const applyAll = async (): Promise<void> => {
    for (const source of trackSources) {
      // Refused while the connection is being restored: the next change, or reconnection, repeats it.
      await apply(source).catch(() => undefined);
    }
  };
  return {
    set: (tracks) => {
      wanted = tracks;
      work = work.then(applyAll);
    },
  };
}

function sourceOf({ Track: { Source } }: LivekitSdk, source: TrackSource): Track.Source {
  return { audio: Source.Microphone, camera: Source.Camera, screen: Source.ScreenShare }[source];
}

/** The server picks a layer for each receiver; text on a shared screen must stay readable. */
function optionsOf({ AudioPresets, VideoPresets }: LivekitSdk, source: TrackSource) {
  if (source === "audio") {
    return { audioPreset: AudioPresets.speech, dtx: true, red: true };
  }
  return source === "screen"
    ? { simulcast: false, screenShareEncoding: { maxBitrate: 2_500_000, maxFramerate: 15 } }
    : {
        simulcast: true,
        videoEncoding: VideoPresets.h720.encoding,
        videoSimulcastLayers: [VideoPresets.h180, VideoPresets.h360],
      };
}
