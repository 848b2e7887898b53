/** Candidates that arrive before the description that they belong to. */
import type { IceCandidate } from "../../../src/contracts/room-messages.ts";

export type CandidateQueue = Readonly<{
  /** Adds it, or keeps it until its description was applied. */
  add(pc: RTCPeerConnection, candidate: IceCandidate): Promise<void>;
  /** A description was applied. */
  flush(pc: RTCPeerConnection): Promise<void>;
  clear(): void;
}>;

const maxPending = 100;

export function createCandidateQueue(): CandidateQueue {
  let pending: IceCandidate[] = [];
  return {
    add: async (pc, candidate) => {
      if (!(await isAdded(pc, candidate))) {
        pending = [...pending, candidate].slice(-maxPending);
      }
    },
    flush: async (pc) => {
      const early = pending;
      pending = [];
      for (const candidate of early) {
        await isAdded(pc, candidate); // where it is not, it belonged to an offer that was ignored
      }
    },
    clear: () => {
      pending = [];
    },
  };
}

async function isAdded(pc: RTCPeerConnection, candidate: IceCandidate): Promise<boolean> {
  if (pc.remoteDescription === null) {
    return false;
  }
  try {
    await pc.addIceCandidate(candidate);
    return true;
  } catch {
    return false;
  }
}

/** Not every browser knows all of the fields. */
export function presentCandidate(found: RTCIceCandidate): IceCandidate {
  const { candidate = "", sdpMid, sdpMLineIndex, usernameFragment } = found.toJSON();
  return {
    candidate,
    sdpMid: sdpMid ?? null,
    sdpMLineIndex: sdpMLineIndex ?? null,
    usernameFragment: usernameFragment ?? null,
  };
}
