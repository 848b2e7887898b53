/** Taking part in the call: joining, leaving, and coming back after a lost connection. */
import type {
  CallJoined,
  CallQuality,
  CallSignal,
  LeaveReason,
  MediaRoute,
  RoomPeer,
} from "../../src/contracts/room-messages.ts";
import type { Devices } from "./media/devices.ts";
import { createCallRequests, type CallRequests } from "./call-requests.ts";
import { createEarlySignals } from "./media/early-signals.ts";
import { RoutedTransport } from "./media/routed-transport.ts";
import type { Peers } from "./peers.ts";
import { QualityMonitor } from "./quality/monitor.ts";
import type { Signalling } from "./signalling/signalling-client.ts";
import type { Store } from "./store.ts";

export type CallOptions = Readonly<{
  store: Store;
  signalling: Signalling;
  devices: Devices;
  peers: Peers;
  /** Joined, left, or the quality changed. */
  onChange(): void;
  /** This page takes part, for the first time or again after a lost connection. */
  onJoined(): void;
  /** This page left the call. */
  onLeft(): void;
}>;

export class Call {
  readonly #options: CallOptions;
  #transport: RoutedTransport | undefined;
  #iceTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #requests: CallRequests;
  /** An offer may come before the answer to `join`, and would be repeated after 4 s only. */
  readonly #early = createEarlySignals();
  #monitor: QualityMonitor | undefined;

  constructor(options: CallOptions) {
    this.#options = options;
    const { signalling } = options;
    this.#requests = createCallRequests(signalling);
    signalling.on("signal", ({ from, ...signal }) => this.#receive(from, signal));
    signalling.on("route", ({ route }) => this.#transport?.setRoute(route));
    signalling.on("left", ({ reason }) => this.#onLeft(reason));
  }

  transport(): RoutedTransport | undefined {
    return this.#transport;
  }

  /** Of this page's connections. */
  quality(): CallQuality {
    return this.#options.store.view().local.quality;
  }

  async join(): Promise<void> {
    const { store } = this.#options;
    if (store.view().phase !== "in-call") {
      store.update({ phase: "joining", joinFault: undefined, leaveReason: undefined });
      await this.#join();
    }
  }

  async leave(): Promise<void> {
    this.#stop();
    this.#options.store.update({ phase: "left", leaveReason: undefined });
    await this.#requests.leave();
  }

  async end(): Promise<void> {
    const ack = await this.#requests.end();
    if (ack.ok) {
      this.#onLeft("ended");
    } else {
      this.#options.store.update({ notice: "end-failed" });
      this.#rejoin();
    }
  }

  /** The others have seen this page leave, under the id that it had before. */
  onNewIdentity(): void {
    this.#closeTransport();
  }

  /**
   * Signalling has reconnected. The others still see this page in the call, unless the person has
   * joined on another one meanwhile (`present`).
   */
  onHello(present: readonly RoomPeer[]): void {
    const { phase, self } = this.#options.store.view();
    const mine = present.find((peer) => peer.participant === self?.participant && peer.isInCall);
    if (phase === "in-call" && mine !== undefined) {
      this.#onLeft("elsewhere");
    } else {
      this.#rejoin();
    }
  }

  /** Who is in the call changed, or what is sent. */
  refresh(): void {
    const { peers, devices } = this.#options;
    this.#transport?.setPeers(peers.inCall());
    this.#transport?.setSupervisors(peers.supervisors());
    this.#transport?.setTracks(devices.tracks());
  }

  /** The room is over, or this page was refused. */
  abandon(): void {
    const { store } = this.#options;
    const { phase } = store.view();
    this.#stop();
    if (phase === "in-call" || phase === "joining") {
      store.update({ phase: "left" });
    }
  }

  close(): void {
    this.#closeTransport();
  }

  #rejoin(): void {
    if (this.#options.store.view().phase === "in-call" && !this.#requests.isEnding()) {
      void this.#join();
    }
  }

  async #join(): Promise<void> {
    const { store, signalling } = this.#options;
    const ack = await this.#requests.join();
    if (ack === undefined) {
      return;
    }
    const { phase } = store.view();
    if (phase === "left") {
      return;
    }
    if (ack.ok) {
      this.#onJoined(ack);
    } else if (signalling.isReady() || phase === "joining") {
      this.#stop();
      const { kind, detail, reason } = ack.error;
      store.update({ phase: "outside", joinFault: { kind, detail, reason } });
    } // otherwise the next hello joins again
  }

  #onJoined({ ice, peers, route }: CallJoined): void {
    const { store, signalling, devices } = this.#options;
    const { self } = store.view();
    if (self === undefined) {
      return;
    }
    const isBack = this.#transport !== undefined;
    this.#transport ??= new RoutedTransport({
      ...{ self, ice, route },
      tracks: devices.tracks(),
      send: (to, signal) => void signalling.request("signal", { ...signal, to }),
      onChange: () => this.#options.peers.refresh(),
      onFailure: (kind) => void this.#reportFailure(kind),
    });
    this.#transport.setIce(ice);
    this.#transport.setRoute(route);
    this.#monitor ??= this.#watch(this.#transport);
    this.#renewIce(ice.expiresInSeconds);
    store.update({ phase: "in-call", joinFault: undefined, leaveReason: undefined });
    this.#options.peers.replaceAll(peers);
    this.#early.take().forEach(({ from, signal }) => this.#transport?.receive(from, signal));
    if (isBack) {
      this.#transport.onSignallingBack();
    }
    this.#options.onJoined();
    this.#options.onChange();
  }

  #watch(transport: RoutedTransport): QualityMonitor {
    const { store, signalling, devices, peers, onChange } = this.#options;
    devices.setVideoSuspended(false); // what another connection could not carry, this one may
    return new QualityMonitor({
      transport,
      isVideoSent: () => devices.tracks().camera !== null,
      isExpert: (id) => peers.find(id)?.role === "expert",
      onEstablished: () => void signalling.request("established", {}),
      onQuality: (quality) => {
        store.updateLocal({ quality });
        onChange();
      },
      onVideoSuspended: (isSuspended) => {
        devices.setVideoSuspended(isSuspended);
        if (devices.camera() !== undefined && !store.view().local.isPaused) {
          store.update({ notice: isSuspended ? "audio-only" : "video-back" });
        } else if (!isSuspended) {
          this.#dropAudioOnly();
        }
      },
    });
  }

  /** The notice is not true any more. */
  #dropAudioOnly(): void {
    const { store } = this.#options;
    if (store.view().notice === "audio-only") {
      store.update({ notice: undefined });
    }
  }

  /** Well before the credentials of the relay expire. */
  #renewIce(expiresInSeconds: number | null): void {
    clearTimeout(this.#iceTimer);
    if (expiresInSeconds !== null && this.#transport !== undefined) {
      const waitMs = Math.max(10, expiresInSeconds * 0.8) * 1_000;
      this.#iceTimer = setTimeout(() => void this.#fetchIce(), waitMs);
    }
  }

  async #fetchIce(): Promise<void> {
    const ack = await this.#options.signalling.request("ice", {});
    if (ack.ok) {
      this.#transport?.setIce(ack);
    }
    this.#renewIce(ack.ok ? ack.expiresInSeconds : 30);
  }

  /** The server decides whether the route changes; it sends a fresh token in any case. */
  async #reportFailure(kind: MediaRoute["kind"]): Promise<void> {
    const ack = await this.#options.signalling.send("media-failed", { kind });
    if (ack.ok) {
      this.#transport?.setRoute(ack.route);
    }
  }

  #receive(from: string, signal: CallSignal): void {
    if (this.#transport !== undefined) {
      this.#transport.receive(from, signal);
    } else if (this.#requests.isJoining()) {
      this.#early.add(from, signal);
    }
  }

  #onLeft(reason: LeaveReason): void {
    const { store } = this.#options;
    const { phase } = store.view();
    if (phase !== "in-call" && phase !== "joining") {
      return;
    }
    if (reason === "lost") {
      this.#closeTransport();
      void this.#join();
      return;
    }
    this.#stop();
    store.update({ phase: "left", leaveReason: reason });
    if (this.#requests.isJoining()) {
      void this.#requests.leave(); // the join began another session, or took the call from the other page
    }
  }

  #stop(): void {
    this.#options.onLeft();
    this.#closeTransport();
    this.#options.devices.release();
    this.#options.onChange();
  }

  #closeTransport(): void {
    clearTimeout(this.#iceTimer);
    this.#monitor?.close();
    this.#monitor = undefined;
    // The next monitor reports only what differs from it.
    this.#options.store.updateLocal({ quality: "good" });
    this.#dropAudioOnly();
    this.#transport?.close();
    this.#transport = undefined;
    this.#options.peers.refresh();
  }
}
