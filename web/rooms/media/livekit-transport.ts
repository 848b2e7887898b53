/**
 * The media of a larger call: one connection to a LiveKit server, which passes on what everybody
 * sends. Its client is large and loaded when it is needed, never with a page.
 */
import type { Room } from "livekit-client";
import type { MediaRoute } from "../../../src/contracts/room-messages.ts";
import type { MediaState } from "../room.ts";
import type * as livekitReceived from "./livekit-received.ts";
import { loadLivekit, type LivekitSdk } from "./livekit-sdk.ts";
import type * as livekitTracks from "./livekit-tracks.ts";
import type { LocalTracks, MediaTransport, RemoteMedia } from "./media-transport.ts";
import type { TransportPeer } from "./negotiation.ts";

export type LivekitAccess = Extract<MediaRoute, { kind: "livekit" }>;

export type LivekitOptions = Readonly<{
  access: LivekitAccess;
  tracks: LocalTracks;
  /** The media of a peer, or their state, changed. */
  onChange(peerId: string): void;
  /** Time for the first connection, before the server counts as unreachable. */
  patienceMs?: number;
  /** The server cannot be reached; called again every few seconds, as long as that is so. */
  onUnreachable(): void;
}>;

export type LivekitTransport = MediaTransport &
  Readonly<{
    /** A fresh token, for the next connection. */
    setAccess(access: LivekitAccess): void;
    /** Ids of pages that receive what this page sends, and send nothing. */
    setSupervisors(ids: readonly string[]): void;
  }>;

/** A short interruption recovers by itself. */
const unreachableMs = 3_000;

/** The client itself gives up after 15 s, which is long for somebody who waits. */
const connectMs = 6_000;

/** Each attempt may take twice as long as the one before: a busy device would never connect. */
const maxConnectMs = 24_000;

const maxRetryMs = 1_000;

/** Then it connects anew, with a fresh token: the old one is valid for ten minutes only. */
const maxRetries = 12;

type Streams = Readonly<{ stream: MediaStream; screen: MediaStream }>;

/** What only works with the SDK is loaded together with it. */
type Parts = Readonly<{
  sdk: LivekitSdk;
  createLivekitTracks: typeof livekitTracks.createLivekitTracks;
}> &
  typeof livekitReceived;

async function loadParts(): Promise<Parts> {
  const [sdk, { createLivekitTracks }, received] = await Promise.all([
    loadLivekit(),
    import("./livekit-tracks.ts"),
    import("./livekit-received.ts"),
  ]);
  return { sdk, createLivekitTracks, ...received };
}

type Client = Readonly<{ parts: Parts; room: Room; local: livekitTracks.LivekitTracks }>;

export function createLivekitTransport(options: LivekitOptions): LivekitTransport {
  const link = new LivekitLink(options);
  return {
    setPeers: (peers) => link.setPeers(peers),
    setTracks: (tracks) => link.setTracks(tracks),
    // LiveKit has its own ICE servers and signalling.
    setIce: () => undefined,
    receive: () => undefined,
    onSignallingBack: () => undefined,
    media: (peerId) => link.media(peerId),
    stats: () => link.stats(),
    setAccess: (access) => link.setAccess(access),
    setSupervisors: (ids) => link.setSupervisors(ids),
    close: () => link.close(),
  };
}

class LivekitLink {
  readonly #options: LivekitOptions;
  readonly #streams = new Map<string, Streams>();
  #stopSizes: (() => void) | undefined;
  #access: LivekitAccess;
  #tracks: LocalTracks;
  #peers: readonly TransportPeer[] = [];
  #supervisors: readonly string[] = [];
  #client: Client | undefined;
  #isConnecting = false;
  /** Attempts to connect that failed since the last connection. */
  #failures = 0;
  #wasConnected = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LivekitOptions) {
    this.#options = options;
    this.#access = options.access;
    this.#tracks = options.tracks;
    this.#reportUnlessConnected(options.patienceMs ?? connectMs);
    void this.#connect();
  }

  setPeers(peers: readonly TransportPeer[]): void {
    this.#peers = peers;
    this.#permitPeers();
    const present = new Set(peers.map(({ id }) => id));
    [...this.#streams.keys()]
      .filter((id) => !present.has(id))
      .forEach((id) => this.#streams.delete(id));
  }

  setSupervisors(ids: readonly string[]): void {
    this.#supervisors = ids;
    this.#permitPeers();
  }

  setTracks(tracks: LocalTracks): void {
    this.#tracks = tracks;
    if (this.#isConnected()) {
      this.#client?.local.set(tracks);
    }
  }

  setAccess(access: LivekitAccess): void {
    this.#access = access;
    void this.#connect();
  }

  media(peerId: string): RemoteMedia | undefined {
    return this.#peers.some(({ id }) => id === peerId)
      ? { ...this.#streamsOf(peerId), state: this.#stateOf(peerId) }
      : undefined;
  }

  async stats(): Promise<ReadonlyMap<string, RTCStatsReport>> {
    return this.#client?.parts.receivedStats(this.#client.room) ?? new Map();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stopSizes?.();
    void this.#client?.room.disconnect(false); // the devices go on
  }

  /** Unless it is connected, or restores the connection by itself. */
  async #connect(): Promise<void> {
    if (this.#isConnecting) {
      return;
    }
    this.#isConnecting = true;
    try {
      const { parts, room } = (this.#client ??= this.#open(await loadParts()));
      const isIdle = room.state === parts.sdk.ConnectionState.Disconnected;
      if (isIdle && !this.#isClosed) {
        const { url, token } = this.#access;
        // What was published before is forgotten together with the connection.
        this.#client = { parts, room, local: parts.createLivekitTracks(parts.sdk, room) };
        const peerConnectionTimeout = Math.min(connectMs * 2 ** this.#failures, maxConnectMs);
        await room.connect(url, token, { maxRetries: 0, peerConnectionTimeout });
      }
      if (this.#isClosed) {
        this.#stopSizes?.();
        await room.disconnect(false);
      }
    } catch {
      this.#failures += 1; // it is reported, and tried again with a fresh token
    } finally {
      this.#isConnecting = false;
    }
  }

  #open(parts: Parts): Client {
    const { sdk } = parts;
    const { RoomEvent } = sdk;
    sdk.setLogLevel("silent"); // what fails is shown by the page
    const room = new sdk.Room({
      dynacast: true,
      stopLocalTrackOnUnpublish: false,
      reconnectPolicy: {
        nextRetryDelayInMs: ({ retryCount }) =>
          retryCount < maxRetries ? Math.min(maxRetryMs, 100 * 2 ** retryCount) : null,
      },
    });
    const changed = ({ identity }: Readonly<{ identity: string }>): void =>
      this.#options.onChange(identity);
    room.on(RoomEvent.TrackSubscribed, (_track, _publication, participant) => changed(participant));
    room.on(RoomEvent.TrackUnsubscribed, (_track, _publication, one) => changed(one));
    room.on(RoomEvent.ParticipantConnected, changed);
    room.on(RoomEvent.ParticipantDisconnected, changed);
    room.on(RoomEvent.ConnectionStateChanged, () => this.#onState());
    this.#stopSizes = parts.followReceivedSizes(room);
    return { parts, room, local: parts.createLivekitTracks(sdk, room) };
  }

  #onState(): void {
    if (this.#isClosed) {
      return;
    }
    if (this.#isConnected()) {
      this.#wasConnected = true;
      this.#failures = 0;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#permitPeers();
      this.#client?.local.set(this.#tracks);
    } else {
      this.#reportUnlessConnected(unreachableMs);
    }
    this.#peers.forEach(({ id }) => this.#options.onChange(id));
  }

  /**
   * Only those who are in the call or watch it, as our own server says, receive what this page sends:
   * a token of LiveKit stays valid for ten minutes, even after its holder was removed. So nobody
   * watches without the notice on this page.
   */
  #permitPeers(): void {
    if (this.#isConnected()) {
      this.#client?.room.localParticipant.setTrackSubscriptionPermissions(
        false,
        [...this.#peers.map(({ id }) => id), ...this.#supervisors].map((id) => ({
          participantIdentity: id,
          allowAll: true,
        })),
      );
    }
  }

  #reportUnlessConnected(waitMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isClosed) {
        this.#options.onUnreachable();
        this.#reportUnlessConnected(unreachableMs);
      }
    }, waitMs);
  }

  #isConnected(): boolean {
    return (
      this.#client !== undefined &&
      this.#client.room.state === this.#client.parts.sdk.ConnectionState.Connected
    );
  }

  #stateOf(peerId: string): MediaState {
    const isConnected = this.#isConnected();
    if (isConnected && this.#client?.room.remoteParticipants.has(peerId) === true) {
      return "connected";
    }
    return this.#wasConnected && !isConnected ? "reconnecting" : "connecting";
  }

  /** With the tracks that arrive now. */
  #streamsOf(peerId: string): Streams {
    const known = this.#streams.get(peerId);
    const streams = known ?? { stream: new MediaStream(), screen: new MediaStream() };
    this.#streams.set(peerId, streams);
    if (this.#client !== undefined) {
      const { parts, room } = this.#client;
      const received = parts.receivedTracks(parts.sdk, room, peerId);
      parts.setTracks(streams.stream, received.stream);
      parts.setTracks(streams.screen, received.screen);
    }
    return streams;
  }
}
