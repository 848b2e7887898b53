/** Which screen the page shows. Pure. */
import type { JoinRefusal } from "../../src/contracts/room-messages.ts";
import type { RoomView } from "../rooms/room.ts";

export type Stage =
  /** Nobody has entered: the name card. */
  | "card"
  /** A room token is asked for, before the room is connected. */
  | "entering"
  | "room";

/** Screens with a message only. */
export type MessageScreen =
  | "unknown"
  | "ended"
  /** The same, of a meeting in which the person did not take part. */
  | "over"
  | "cancelled"
  | "link"
  | "locked"
  | "full"
  | "denied"
  | "expired"
  | "left"
  | "removed"
  | "elsewhere"
  | "failed";

export type Screen = MessageScreen | "card" | "connecting" | "waiting" | "room";

/** Of the view, only what decides. */
export type DecidingView = Pick<
  RoomView,
  "phase" | "connection" | "overReason" | "leaveReason" | "joinFault" | "admission" | "self"
>;

export function screenOf(stage: Stage, view: DecidingView): Screen {
  if (stage !== "room") {
    return stage === "card" ? "card" : "connecting";
  }
  if (view.overReason !== undefined) {
    return ofOverRoom(view);
  }
  switch (view.phase) {
    case "waiting":
      return ofWaiting(view.admission);
    case "joining":
      return "connecting";
    case "in-call":
      return "room";
    case "left":
      return ofLeft(view.leaveReason);
    case "outside":
      return ofOutside(view.joinFault);
  }
}

function ofOverRoom({ phase, overReason, leaveReason, admission, self }: DecidingView): Screen {
  if (phase === "waiting" && admission === "denied") {
    return "denied";
  }
  if (leaveReason === "removed" || overReason === "removed") {
    return "removed";
  }
  // The token of an expert ends with the call.
  const isEnded = overReason === "token" && self?.role === "expert";
  return overReason === "room" || isEnded ? "ended" : "failed";
}

function ofWaiting(admission: DecidingView["admission"]): Screen {
  switch (admission) {
    case "denied":
    case "expired":
      return admission;
    case "over":
      return "ended";
    case "admitted":
      return "connecting";
    default:
      return "waiting";
  }
}

function ofLeft(reason: DecidingView["leaveReason"]): Screen {
  return reason === undefined || reason === "lost" ? "left" : reason;
}

const screenOfRefusal: Readonly<Record<JoinRefusal, Screen>> = {
  over: "ended",
  consent: "failed",
  waiting: "waiting",
  denied: "removed",
  expired: "expired",
  locked: "locked",
  full: "full",
};

function ofOutside(fault: DecidingView["joinFault"]): Screen {
  if (fault === undefined) {
    return "connecting";
  }
  return screenOfRefusal[fault.reason as JoinRefusal] ?? "failed";
}
