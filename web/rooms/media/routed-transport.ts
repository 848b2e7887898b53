/**
 * The media of a call, by whichever route the server decided, and the change of the route in a running
 * call: the new route is connected first, and each peer's old connection is closed shortly after its
 * media arrive by the new one. Peers that the new route does not reach stay on the old one.
 */
import type { CallSignal, IceSettings, MediaRoute } from "../../../src/contracts/room-messages.ts";
import { createEarlySignals } from "./early-signals.ts";
import { createHandover, type Arrival, type Handover, type HandoverPeer } from "./handover.ts";
import { createLivekitTransport, type LivekitAccess } from "./livekit-transport.ts";
import type { LocalTracks, MediaTransport, RemoteMedia } from "./media-transport.ts";
import { createMesh, type MeshOptions } from "./mesh.ts";
import { createShownMedia } from "./shown-media.ts";

export type RoutedOptions = MeshOptions &
  Readonly<{
    route: MediaRoute;
    /** This page cannot reach others by this kind of route. */
    onFailure(kind: MediaRoute["kind"]): void;
  }>;

type Leg = Readonly<{
  kind: MediaRoute["kind"];
  transport: MediaTransport;
  setAccess(access: LivekitAccess): void;
  /** Without effect in a mesh, which cannot be watched. */
  setSupervisors(ids: readonly string[]): void;
}>;

type Change = Readonly<{
  next: Leg;
  handover: Handover;
  timer: ReturnType<typeof setInterval>;
}>;

const stepMs = 250;

/**
 * While another route still carries the call, nobody waits for LiveKit. A report would end the change
 * for good, and on a busy device a connection takes seconds.
 */
const changePatienceMs = 24_000;

/** The interval of reports to the server; a mesh keeps trying by itself. */
const failureMs = 10_000;

export class RoutedTransport {
  readonly #options: RoutedOptions;
  readonly #shown = createShownMedia();
  readonly #early = createEarlySignals();
  #ice: IceSettings;
  #tracks: LocalTracks;
  #peers: readonly HandoverPeer[] = [];
  #supervisors: readonly string[] = [];
  #current: Leg;
  #change: Change | undefined;
  #meshFailedAtMs = -failureMs;

  constructor(options: RoutedOptions) {
    this.#options = options;
    this.#ice = options.ice;
    this.#tracks = options.tracks;
    this.#current = this.#open(options.route, {});
  }

  setPeers(peers: readonly HandoverPeer[]): void {
    this.#peers = peers;
    this.#shown.keep(peers.map(({ id }) => id));
    if (this.#change !== undefined) {
      this.#current.transport.setPeers(this.#change.handover.keptOnOld(peers));
    }
    this.#newest().transport.setPeers(peers);
  }

  /** Pages that receive what this page sends, over LiveKit only. */
  setSupervisors(ids: readonly string[]): void {
    this.#supervisors = ids;
    this.#legs().forEach((leg) => leg.setSupervisors(ids));
  }

  setTracks(tracks: LocalTracks): void {
    this.#tracks = tracks;
    this.#legs().forEach(({ transport }) => transport.setTracks(tracks));
  }

  setIce(settings: IceSettings): void {
    this.#ice = settings;
    this.#legs().forEach(({ transport }) => transport.setIce(settings));
  }

  /** What the server decided; the same kind of route again brings a fresh token. */
  setRoute(route: MediaRoute): void {
    const newest = this.#newest();
    if (route.kind !== newest.kind) {
      if (this.#change === undefined) {
        this.#begin(route);
      } else {
        this.#finish(this.#current, newest); // back, before the change was complete
      }
    } else if (route.kind === "livekit") {
      newest.setAccess(route);
    }
  }

  receive(from: string, signal: CallSignal): void {
    const mesh = this.#legs().find(({ kind }) => kind === "mesh");
    if (mesh === undefined) {
      this.#early.add(from, signal);
    } else {
      mesh.transport.receive(from, signal);
    }
  }

  onSignallingBack(): void {
    this.#legs().forEach(({ transport }) => transport.onSignallingBack());
  }

  media(peerId: string): RemoteMedia | undefined {
    return this.#shown.media(peerId, this.#received(peerId)?.state);
  }

  async stats(): Promise<ReadonlyMap<string, RTCStatsReport>> {
    const reports = await Promise.all(this.#legs().map(({ transport }) => transport.stats()));
    return new Map(reports.flatMap((report) => [...report]));
  }

  close(): void {
    clearInterval(this.#change?.timer);
    this.#legs().forEach(({ transport }) => transport.close());
  }

  #open(route: MediaRoute, patience: Readonly<{ patienceMs?: number }>): Leg {
    const tracks = this.#tracks;
    if (route.kind === "mesh") {
      const onChange = (peerId: string): void => this.#onMeshChange(peerId);
      const transport = createMesh({ ...this.#options, ice: this.#ice, tracks, onChange });
      const ignore = (): void => undefined;
      return { kind: "mesh", transport, setAccess: ignore, setSupervisors: ignore };
    }
    const transport = createLivekitTransport({
      ...{ access: route, tracks, ...patience },
      onChange: (peerId) => this.#refresh(peerId),
      onUnreachable: () => this.#options.onFailure("livekit"),
    });
    transport.setSupervisors(this.#supervisors);
    const { setAccess, setSupervisors } = transport;
    return { kind: "livekit", transport, setAccess, setSupervisors };
  }

  #begin(route: MediaRoute): void {
    const next = this.#open(route, { patienceMs: changePatienceMs });
    this.#change = {
      next,
      handover: createHandover(this.#peers),
      timer: setInterval(() => this.#step(), stepMs),
    };
    next.transport.setPeers(this.#peers);
    if (next.kind === "mesh") {
      this.#early.take().forEach(({ from, signal }) => next.transport.receive(from, signal));
    }
  }

  #step(): void {
    if (this.#change === undefined) {
      return;
    }
    const { next, handover } = this.#change;
    const old = this.#current;
    handover.step(this.#peers, (id) =>
      arrivalOf(old.transport.media(id), next.transport.media(id)),
    );
    this.#peers.forEach(({ id }) => this.#refresh(id));
    if (handover.isDone(this.#peers)) {
      this.#finish(next, old);
    } else {
      old.transport.setPeers(handover.keptOnOld(this.#peers));
    }
  }

  #finish(kept: Leg, dropped: Leg): void {
    clearInterval(this.#change?.timer);
    this.#change = undefined;
    this.#current = kept;
    dropped.transport.close();
    kept.transport.setPeers(this.#peers);
    this.#peers.forEach(({ id }) => this.#refresh(id));
  }

  #refresh(peerId: string): void {
    this.#shown.update(peerId, this.#received(peerId));
    this.#options.onChange(peerId);
  }

  #onMeshChange(peerId: string): void {
    this.#refresh(peerId);
    const { kind, transport } = this.#newest();
    const isFailed = kind === "mesh" && transport.media(peerId)?.state === "failed";
    if (isFailed && performance.now() - this.#meshFailedAtMs > failureMs) {
      this.#meshFailedAtMs = performance.now();
      this.#options.onFailure("mesh");
    }
  }

  /** By the route that brings the media of the peer now. */
  #received(peerId: string): RemoteMedia | undefined {
    const isOnOld = this.#change?.handover.isOnOld(peerId) === true;
    return (isOnOld ? this.#current : this.#newest()).transport.media(peerId);
  }

  #newest(): Leg {
    return this.#change?.next ?? this.#current;
  }

  #legs(): Leg[] {
    return this.#change === undefined ? [this.#current] : [this.#current, this.#change.next];
  }
}

function arrivalOf(before: RemoteMedia | undefined, after: RemoteMedia | undefined): Arrival {
  const flows = (track: MediaStreamTrack): boolean => !track.muted && track.readyState === "live";
  return {
    isOldConnected: before?.state === "connected",
    isNewConnected: after?.state === "connected",
    hasPicture: after?.stream.getVideoTracks().some(flows) === true,
    hasSound: after?.stream.getAudioTracks().some(flows) === true,
  };
}
