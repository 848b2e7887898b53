/**
 * The streams of the peers as a page shows them: the same objects for the life of a peer, whichever
 * way their tracks come. A video element that keeps its stream shows the last picture until the next.
 */
import type { MediaState } from "../room.ts";
import type { RemoteMedia } from "./media-transport.ts";

export type ShownMedia = Readonly<{
  /** Applies the received tracks. A missing track keeps the previous one until a new one arrives. */
  update(peerId: string, media: RemoteMedia | undefined): void;
  media(peerId: string, state: MediaState | undefined): RemoteMedia | undefined;
  /** Forgets the others. */
  keep(peerIds: readonly string[]): void;
}>;

type Streams = Readonly<{ stream: MediaStream; screen: MediaStream }>;

export function createShownMedia(): ShownMedia {
  const shown = new Map<string, Streams>();
  const streamsOf = (peerId: string): Streams => {
    const known = shown.get(peerId) ?? { stream: new MediaStream(), screen: new MediaStream() };
    shown.set(peerId, known);
    return known;
  };
  return {
    update: (peerId, media) => {
      if (media !== undefined) {
        const { stream, screen } = streamsOf(peerId);
        replaceTracks(stream, media.stream);
        replaceTracks(screen, media.screen);
      }
    },
    media: (peerId, state) => (state === undefined ? undefined : { ...streamsOf(peerId), state }),
    keep: (peerIds) => {
      const present = new Set(peerIds);
      [...shown.keys()].filter((id) => !present.has(id)).forEach((id) => shown.delete(id));
    },
  };
}

function replaceTracks(shown: MediaStream, received: MediaStream): void {
  for (const track of received.getTracks()) {
    if (!shown.getTracks().includes(track)) {
      shown
        .getTracks()
        .filter(({ kind }) => kind === track.kind)
        .forEach((old) => shown.removeTrack(old));
      shown.addTrack(track);
    }
  }
}
