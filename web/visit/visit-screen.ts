/** Which screen a visit is at. Pure. */
import type { LeaveReason } from "../../src/contracts/room-messages.ts";
import type { LinkEnd } from "../../src/contracts/tickets.ts";
import type { Visit } from "./guest-types.ts";
import type { RoomView } from "../rooms/room.ts";

export type Screen =
  | "welcome"
  | "in-app"
  | "unsupported"
  | "consent"
  | "decline"
  | "declined"
  | "position"
  | "devices"
  | "room"
  | "left"
  | "lost"
  | "elsewhere"
  | "closed"
  | "full"
  | "survey"
  | "thanks"
  | "expired"
  | "cancelled"
  | "finished"
  | "deleted"
  | "unknown"
  | "failed";

/** States with an expected or running call: an open survey is about an earlier one. */
const statesBeforeCall: ReadonlySet<string> = new Set(["new", "invited", "inprogress"]);

/** The screen at which an opened or reloaded page continues. */
export function screenOfVisit(visit: Visit): Screen {
  if (visit.is_survey_due && (visit.is_accepted || !statesBeforeCall.has(visit.state))) {
    return "survey";
  }
  if (!visit.has_consent) {
    return "welcome";
  }
  if (visit.position_request !== null && !visit.is_accepted) {
    return "position";
  }
  return visit.has_devices && visit.is_accepted ? "room" : "devices";
}

const screenOfEnd: Readonly<Record<LinkEnd, Screen>> = {
  expired: "expired",
  cancelled: "cancelled",
  closed: "finished",
  declined: "declined",
  deleted: "deleted",
};

/** Why the link does not lead to a call any more: the `details` of a 410. */
export function screenOfGone(details: string | undefined): Screen {
  return screenOfEnd[details?.replace("Reason ", "") as LinkEnd] ?? "finished";
}

/** What a refusal of the link means to the customer. */
export function screenOfRefusal({
  status,
  details,
}: Readonly<{ status: number; details: string | undefined }>): Screen {
  if (status === 410) {
    return screenOfGone(details);
  }
  return status === 404 || status === 400 ? "unknown" : "failed";
}

/** In place of "the call has ended", where the visit says more precisely what happened. */
export function screenOfClosedVisit({ is_survey_due, end_reason }: Visit): Screen {
  if (is_survey_due) {
    return "survey";
  }
  return end_reason === null || end_reason === "closed" ? "closed" : screenOfEnd[end_reason];
}

const surveyMs = 24 * 60 * 60 * 1_000;

/**
 * When to ask next whether the survey is due, after the customer left: at first every 3 s, later
 * less often. Undefined: it cannot become due any more.
 */
export function nextCheckMs(sinceMs: number): number | undefined {
  return sinceMs > surveyMs ? undefined : Math.min(60_000, Math.max(3_000, sinceMs / 10));
}

const screenOfLeaving: Readonly<Record<LeaveReason, Screen>> = {
  ended: "closed",
  removed: "closed",
  elsewhere: "elsewhere",
  lost: "lost",
};

const screenOfOver: Readonly<Record<NonNullable<RoomView["overReason"]>, Screen>> = {
  room: "closed",
  removed: "closed",
  token: "lost",
  flood: "failed",
  refused: "failed",
};

/**
 * Where the customer is once the call is not theirs any more; undefined while it is. The end of a
 * connection comes first: the room gives it up with the phase `left`, as if the customer had left.
 */
export function screenAfterCall({
  overReason,
  phase,
  leaveReason,
  joinFault,
}: Pick<RoomView, "overReason" | "phase" | "leaveReason" | "joinFault">): Screen | undefined {
  if (overReason !== undefined) {
    return screenOfOver[overReason];
  }
  if (joinFault !== undefined) {
    return screenOfJoinFault(joinFault);
  }
  if (phase === "left") {
    return leaveReason === undefined ? "left" : screenOfLeaving[leaveReason];
  }
  return undefined;
}

/** A person who is joining is already in the room: a closed ticket ends the call. */
function screenOfJoinFault({ kind, reason }: NonNullable<RoomView["joinFault"]>): Screen {
  if (reason === "consent") {
    return "consent";
  }
  if (reason === "full" || reason === "locked") {
    return "full";
  }
  return reason === "over" || kind === "gone" ? "closed" : "lost";
}
