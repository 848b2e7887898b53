/** Authorization of call messages, enforced by the server. Pure. */
import type { CallCommand, PeerState } from "../../contracts/room-messages.ts";
import { isHost, isModerator, type PeerRole } from "../../contracts/signalling.ts";

/**
 * The agent controls the customer's page; moderators of a meeting may only ask participants to
 * mute.
 */
export function mayCommand(from: PeerRole, to: PeerRole, { name }: CallCommand): boolean {
  if (from === "agent" && to === "requestor") {
    return true;
  }
  return name === "mute" && isModerator(from) && !isModerator(to);
}

/** May remove people: hosts of a meeting, and the agent of a ticket, who invited the experts. */
export function mayRemove(role: PeerRole): boolean {
  return isHost(role);
}

/** Pointers belong to video assistance. */
export function mayPoint(role: PeerRole): boolean {
  return role === "agent" || role === "requestor" || role === "expert";
}

/** Only the agent and the customer of a ticket freeze photos and draw on them. */
export function mayDraw(role: PeerRole): boolean {
  return role === "agent" || role === "requestor";
}

/** The part of a reported state that this role may set. */
export function allowedState(role: PeerRole, state: Partial<PeerState>): Partial<PeerState> {
  if (isHost(role)) {
    return state;
  }
  const { isRecording: _ignored, ...others } = state;
  return others;
}
