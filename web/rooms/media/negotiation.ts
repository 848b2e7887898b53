/** Decisions of the perfect negotiation pattern (W3C WebRTC, section 10.7). Pure. */
import type { PeerRole } from "../../../src/contracts/signalling.ts";

export type TransportPeer = Readonly<{ id: string; role: PeerRole }>;

/**
 * Which side gives way when both offer at the same time. The same answer, reversed, on both sides: the
 * customer gives way to the agent, else the one with the greater id. The other side offers first.
 */
export function isPolite(self: TransportPeer, peer: TransportPeer): boolean {
  const isRequestor = self.role === "requestor";
  return isRequestor === (peer.role === "requestor") ? self.id > peer.id : isRequestor;
}

export type OfferInput = Readonly<{
  isPolite: boolean;
  /** An `RTCSignalingState`. */
  signalingState: string;
  /** An offer and an answer were exchanged on this connection. */
  isEstablished: boolean;
  /** The offer belongs to another connection of the peer than the one that is known. */
  isNewConnection: boolean;
}>;

export type OfferDecision =
  | "apply"
  /** Both offered, and the other side gives way. */
  | "ignore"
  /** The present connection cannot take this offer: a new one does. */
  | "start-over";

export function decideOffer(offer: OfferInput): OfferDecision {
  const isCollision = offer.signalingState !== "stable";
  if (isCollision && !offer.isPolite) {
    return "ignore";
  }
  // Transceivers of a first offer that was rolled back would be left over and be offered again.
  const hasLeftOvers = isCollision && !offer.isEstablished;
  return hasLeftOvers || offer.isNewConnection ? "start-over" : "apply";
}

/** Of the certificate: another one is another connection. */
export function fingerprintOf(sdp: string): string | undefined {
  return /^a=fingerprint:(?<value>.+)$/mu.exec(sdp)?.groups?.["value"]?.trim();
}

export type TrackSource = "audio" | "camera" | "screen";

/** The order in which every page of ours offers its media. */
export const trackSources: readonly TrackSource[] = ["audio", "camera", "screen"];

export type StreamNames = Readonly<{ camera: string | null; screen: string | null }>;

/** The kind of a track: by the name of its stream, else by its position. */
export function sourceOfTrack(
  track: Readonly<{ kind: string; streamIds: readonly string[]; position: number }>,
  names: StreamNames | undefined,
): TrackSource {
  if (track.kind === "audio") {
    return "audio";
  }
  const isNamed = (name: string | null | undefined): boolean =>
    name !== null && name !== undefined && track.streamIds.includes(name);
  if (isNamed(names?.screen)) {
    return "screen";
  }
  return isNamed(names?.camera) ? "camera" : (trackSources[track.position] ?? "camera");
}
