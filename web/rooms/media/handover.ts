/** Which peers still use the old route of a call whose route changes. Pure. */
import type { PeerState } from "../../../src/contracts/room-messages.ts";
import type { TransportPeer } from "./negotiation.ts";

export type HandoverPeer = TransportPeer &
  Readonly<{ state: Pick<PeerState, "isCameraOn" | "isMicOn"> }>;

/** How the media of a peer arrive. */
export type Arrival = Readonly<{
  isOldConnected: boolean;
  isNewConnected: boolean;
  /** By the new route, and not only announced. */
  hasPicture: boolean;
  hasSound: boolean;
}>;

export type Handover = Readonly<{
  /** Checks whose media arrive by the new route. */
  step(peers: readonly HandoverPeer[], arrivalOf: (peerId: string) => Arrival): void;
  /** Whether the peer is shown as the old route brings it. */
  isOnOld(peerId: string): boolean;
  /** Those whose old connections must stay open. */
  keptOnOld(peers: readonly HandoverPeer[]): HandoverPeer[];
  isDone(peers: readonly HandoverPeer[]): boolean;
}>;

/** The other side needs as long to see this page by the new route. */
const graceMs = 3_000;

/** Time limit for an announced track that does not arrive. */
const patienceMs = 8_000;

type Progress = { connectedAtMs?: number; movedAtMs?: number };

/** `peers`: those who are on the old route. Who comes later never is. */
export function createHandover(
  peers: readonly HandoverPeer[],
  nowMs: () => number = () => performance.now(),
): Handover {
  const progress = new Map<string, Progress>(peers.map(({ id }) => [id, {}]));
  const isKept = ({ id }: HandoverPeer): boolean => {
    const found = progress.get(id);
    return (
      found !== undefined && (found.movedAtMs === undefined || nowMs() - found.movedAtMs < graceMs)
    );
  };
  return {
    step: (present, arrivalOf) => {
      for (const peer of present) {
        const found = progress.get(peer.id);
        const arrival = arrivalOf(peer.id);
        if (found !== undefined && arrival.isNewConnected) {
          found.connectedAtMs ??= nowMs();
          const isLate = nowMs() - found.connectedAtMs > patienceMs;
          if (isLate || isReady(peer, arrival)) {
            found.movedAtMs ??= nowMs();
          }
        }
      }
    },
    isOnOld: (peerId) => {
      const found = progress.get(peerId);
      return found !== undefined && found.movedAtMs === undefined;
    },
    keptOnOld: (present) => present.filter(isKept),
    isDone: (present) => !present.some(isKept),
  };
}

/** All that the peer sends has come, or the old route brings nothing any more. */
function isReady({ state }: HandoverPeer, arrival: Arrival): boolean {
  const hasAll = (!state.isCameraOn || arrival.hasPicture) && (!state.isMicOn || arrival.hasSound);
  return hasAll || !arrival.isOldConnected;
}
