/**
 * How media travel between the pages of a call: a mesh of connections, or later a media server. The
 * transport knows nothing of roles, chat and view.
 */
import type { CallSignal, IceSettings } from "../../../src/contracts/room-messages.ts";
import type { MediaState } from "../room.ts";
import type { TransportPeer } from "./negotiation.ts";

/** What this page sends. Null: nothing, the others get no picture or sound. */
export type LocalTracks = Readonly<{
  audio: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
}>;

export type RemoteMedia = Readonly<{
  /** Camera and microphone; the same object for the life of the peer. */
  stream: MediaStream;
  screen: MediaStream;
  state: MediaState;
}>;

export type TransportEvents = Readonly<{
  send(to: string, signal: CallSignal): void;
  /** The media of a peer, or their state, changed. */
  onChange(peerId: string): void;
}>;

export type MediaTransport = Readonly<{
  /** Who is in the call, without this page. Connections of those who left are closed. */
  setPeers(peers: readonly TransportPeer[]): void;
  setTracks(tracks: LocalTracks): void;
  setIce(settings: IceSettings): void;
  receive(from: string, signal: CallSignal): void;
  /** The signalling is back: what was lost during the outage is sent again. */
  onSignallingBack(): void;
  media(peerId: string): RemoteMedia | undefined;
  stats(): Promise<ReadonlyMap<string, RTCStatsReport>>;
  close(): void;
}>;
