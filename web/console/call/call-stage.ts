/** Derives the state of the agent's call from the room. Pure. */
import type { PeerView, RoomView } from "../../rooms/room.ts";

export type CallStage =
  | "connecting"
  /** Nobody else is there. */
  | "waiting"
  /** The customer opened the link, and has not entered yet. */
  | "arriving"
  /** The customer is in the room and waits for an answer. */
  | "ringing"
  | "joining"
  | "in-call"
  | "ended"
  /** The agent continued in another window. */
  | "elsewhere"
  /** The connection of this page was lost for too long: join again. */
  | "lost"
  /** The room is closed, or the page was refused. */
  | "over";

export function stageOf(view: RoomView): CallStage {
  if (view.connection === "over") {
    return "over";
  }
  if (view.phase === "joining" || view.phase === "in-call") {
    return view.phase;
  }
  if (view.phase === "left") {
    return stageAfter(view.leaveReason);
  }
  return view.connection === "connecting" ? "connecting" : stageOutside(view);
}

function stageAfter(reason: RoomView["leaveReason"]): CallStage {
  if (reason === "elsewhere" || reason === "lost") {
    return reason;
  }
  return "ended";
}

function stageOutside(view: RoomView): CallStage {
  const customer = customerOf(view);
  if (customer === undefined) {
    return "waiting";
  }
  return customer.isInCall ? "ringing" : "arriving";
}

/** The customer's page; if there are several, the one in the call. */
export function customerOf({ peers }: Pick<RoomView, "peers">): PeerView | undefined {
  const pages = peers.filter(({ role }) => role === "requestor");
  return pages.find(({ isInCall }) => isInCall) ?? pages[0];
}

export type CustomerState =
  | "absent"
  | "connecting"
  | "live"
  | "no-camera"
  | "paused"
  | "reconnecting"
  | "failed";

/** How the customer is shown during the call. */
export function customerStateOf(customer: PeerView | undefined): CustomerState {
  if (customer?.isInCall !== true) {
    return "absent";
  }
  if (customer.media !== "connected") {
    return customer.media;
  }
  if (customer.state.isPaused) {
    return "paused";
  }
  return customer.state.isCameraOn || customer.state.isSharing ? "live" : "no-camera";
}

/** Other people who take part: an expert, another agent. */
export function othersOf({ peers }: Pick<RoomView, "peers">): readonly PeerView[] {
  return peers.filter(({ role, isInCall }) => isInCall && role !== "requestor");
}
