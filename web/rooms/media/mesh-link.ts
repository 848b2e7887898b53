/**
 * The connection to one peer: perfect negotiation with transceivers that stay for the life of the
 * connection, so that switching a device never negotiates, and a restart of ICE when the network
 * changed. A peer whose page made a new connection gets a new one here, too.
 */
import type { CallSignal, IceSettings } from "../../../src/contracts/room-messages.ts";
import { backoffMs } from "../../base/backoff.ts";
import { createCandidateQueue, presentCandidate } from "./candidates.ts";
import { configurationOf } from "./ice-configuration.ts";
import type { SendLimits } from "./limits.ts";
import { createLinkHealth, type LinkHealth } from "./link-health.ts";
import { createLinkWatch, type LinkWatch } from "./link-watch.ts";
import type { LocalTracks, RemoteMedia } from "./media-transport.ts";
import { decideOffer, fingerprintOf, isPolite, type TransportPeer } from "./negotiation.ts";
import { createReceivedMedia, type ReceivedMedia } from "./received-media.ts";
import { createSenders, type Senders } from "./senders.ts";

export type LinkOptions = Readonly<{
  self: TransportPeer;
  peer: TransportPeer;
  ice: IceSettings;
  tracks: LocalTracks;
  limits: SendLimits;
  send(signal: CallSignal): void;
  onChange(): void;
}>;

/** The offer of the other side, or its answer, is missing for so long. */
const silenceMs = 4_000;

export class MeshLink {
  readonly #send: LinkOptions["send"];
  readonly #isPolite: boolean;
  readonly #received: ReceivedMedia;
  readonly #senders: Senders;
  readonly #health: LinkHealth;
  readonly #watch: LinkWatch;
  readonly #candidates = createCandidateQueue();
  #ice: IceSettings;
  #pc: RTCPeerConnection;
  /** An offer and an answer were exchanged. */
  #isEstablished = false;
  #isClosed = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work = Promise.resolve();

  constructor({ self, peer, ice, tracks, limits, send, onChange }: LinkOptions) {
    this.#send = send;
    this.#ice = ice;
    this.#isPolite = isPolite(self, peer);
    this.#received = createReceivedMedia(onChange);
    this.#senders = createSenders(tracks, limits);
    this.#health = createLinkHealth({
      isPolite: this.#isPolite,
      onChange,
      onRestart: () => this.restart(),
    });
    this.#watch = createLinkWatch({
      stats: () => this.stats(),
      onBandwidth: (bandwidth) => this.#inOrder(() => this.#senders.setBandwidth(bandwidth)),
      onGap: (gap) => this.#inOrder(() => this.#senders.setPictures(gap !== "open")),
    });
    this.#pc = this.#open();
    this.#begin();
  }

  receive(signal: CallSignal): void {
    const { description, candidate } = signal;
    if (description?.type === "offer") {
      this.#inOrder(() => this.#applyOffer(description.sdp, signal));
    } else if (description?.type === "answer") {
      this.#inOrder(() => this.#applyAnswer(description.sdp, signal));
    } else if (candidate !== undefined && candidate !== null) {
      this.#inOrder(() => this.#candidates.add(this.#pc, candidate));
    }
  }

  setTracks(tracks: LocalTracks): void {
    this.#inOrder(() => this.#senders.setTracks(tracks));
  }

  setLimits(limits: SendLimits): void {
    this.#inOrder(() => this.#senders.setLimits(limits));
  }

  setIce(settings: IceSettings): void {
    this.#ice = settings;
    this.#pc.setConfiguration(configurationOf(settings));
  }

  /** The network changed: restarts ICE immediately. */
  restart(): void {
    if (this.#isEstablished && !this.#isClosed) {
      this.#pc.restartIce();
    }
    this.#resendOffer();
  }

  /** Sends again what may have been lost, and restarts what does not work. */
  recover(): void {
    if (this.#pc.connectionState === "connected") {
      this.#resendOffer();
    } else {
      this.restart();
    }
  }

  media(): RemoteMedia {
    const { camera, screen } = this.#received;
    return { stream: camera, screen, state: this.#health.state() };
  }

  stats(): Promise<RTCStatsReport> {
    return this.#pc.getStats();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#health.close();
    this.#watch.close();
    dispose(this.#pc);
    this.#received.clear();
  }

  #open(): RTCPeerConnection {
    const pc = new RTCPeerConnection(configurationOf(this.#ice));
    pc.onicecandidate = ({ candidate }) => {
      if (candidate !== null) {
        this.#send({ candidate: presentCandidate(candidate) });
      }
    };
    pc.onnegotiationneeded = () => this.#inOrder(() => this.#offer());
    pc.ontrack = this.#received.onTrack;
    pc.onconnectionstatechange = () => this.#health.onState(pc.connectionState);
    return pc;
  }

  /** Offers, if it is this side's turn; otherwise waits for the offer, with a time limit. */
  #begin(): void {
    if (this.#isPolite) {
      this.#after(silenceMs, () => this.#senders.create(this.#pc));
    } else {
      this.#senders.create(this.#pc);
    }
  }

  #startOver(): void {
    dispose(this.#pc);
    this.#senders.detach();
    this.#received.clear();
    this.#candidates.clear();
    this.#isEstablished = false;
    this.#pc = this.#open();
    this.#begin();
  }

  /** One after the other: a description is applied before the candidates that follow it. */
  #inOrder(task: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#isClosed ? undefined : task()))
      .catch(() => {
        // The state of the connection is unknown, so it is replaced.
        this.#failures += 1;
        this.#after(backoffMs(this.#failures, { firstMs: 500, maxMs: 8_000 }), () =>
          this.#startOver(),
        );
      });
  }

  async #offer(): Promise<void> {
    if (this.#pc.signalingState === "stable") {
      await this.#pc.setLocalDescription();
      this.#sendDescription();
    } // otherwise it is asked for again when the state is stable
  }

  #sendDescription(): void {
    const description = this.#pc.localDescription;
    if (description !== null && !this.#isClosed) {
      const { type, sdp } = description;
      const streams = this.#senders.names;
      this.#send({ description: { type: type as "offer" | "answer", sdp }, streams });
      this.#after(silenceMs, () => this.#resendOffer());
    }
  }

  #resendOffer(): void {
    if (this.#pc.signalingState === "have-local-offer") {
      this.#sendDescription();
    }
  }

  async #applyOffer(sdp: string, { streams }: CallSignal): Promise<void> {
    const decision = decideOffer({
      isPolite: this.#isPolite,
      signalingState: this.#pc.signalingState,
      isEstablished: this.#isEstablished,
      isNewConnection: this.#isOtherConnection(sdp),
    });
    if (decision === "ignore") {
      this.#resendOffer(); // the other side may never have got it
      return;
    }
    if (decision === "start-over") {
      this.#startOver();
    }
    this.#received.setNames(streams);
    await this.#pc.setRemoteDescription({ type: "offer", sdp });
    this.#senders.adopt(this.#pc);
    await this.#pc.setLocalDescription();
    this.#sendDescription();
    await this.#settle();
  }

  async #applyAnswer(sdp: string, { streams }: CallSignal): Promise<void> {
    if (this.#pc.signalingState !== "have-local-offer") {
      return; // the answer to an offer that was sent twice
    }
    if (this.#isOtherConnection(sdp)) {
      this.#startOver();
      return;
    }
    this.#received.setNames(streams);
    await this.#pc.setRemoteDescription({ type: "answer", sdp });
    await this.#settle();
  }

  #isOtherConnection(sdp: string): boolean {
    const known = this.#pc.remoteDescription?.sdp;
    return known !== undefined && fingerprintOf(known) !== fingerprintOf(sdp);
  }

  async #settle(): Promise<void> {
    this.#isEstablished = true;
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#health.onNegotiated();
    await this.#senders.apply();
    await this.#candidates.flush(this.#pc);
  }

  /** The next step of the negotiation, if nothing comes before it. */
  #after(waitMs: number, step: () => void): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) {
      this.#timer = setTimeout(step, waitMs);
    }
  }
}

function dispose(pc: RTCPeerConnection): void {
  pc.onicecandidate = null;
  pc.onnegotiationneeded = null;
  pc.ontrack = null;
  pc.onconnectionstatechange = null;
  pc.close();
}
