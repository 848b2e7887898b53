/** The progress of a ticket as stages. Pure. */
import type { TicketState } from "../../../../src/contracts/events.ts";

const stages = ["created", "invited", "inprogress", "done", "closed"] as const;

type Stage = (typeof stages)[number];

export type StageView = Readonly<{
  stage: Stage;
  progress: "past" | "present" | "future";
  /** Ended early: rejected, declined or expired. */
  ended: "rejected" | "declined" | "expired" | null;
}>;

const stageOf: Record<TicketState, Stage> = {
  new: "created",
  open: "created",
  opened: "created",
  updated: "created",
  invited: "invited",
  declined: "invited",
  expired: "invited",
  inprogress: "inprogress",
  rejected: "inprogress",
  done: "done",
  closed: "closed",
};

export function stagesOf(state: TicketState): StageView[] {
  const here = stages.indexOf(stageOf[state]);
  return stages.map((stage, nth) => ({
    stage,
    progress: nth < here ? "past" : nth === here ? "present" : "future",
    ended: nth === here && isEnded(state) ? state : null,
  }));
}

function isEnded(state: TicketState): state is "rejected" | "declined" | "expired" {
  return state === "rejected" || state === "declined" || state === "expired";
}

const refusals = ["ticket.invitationDeclined", "ticket.invitationNotclicked"] as const;

type Refusal = (typeof refusals)[number];

/** The later ones of a channel are sent again. */
const invitations: readonly string[] = ["ticket.invitationSent", "ticket.invitationResent"];

/** A customer who got this far needs no other invitation. */
const isArrival = (type: string): boolean =>
  type === "ticket.invitationAccepted" || type === "session.established";

/**
 * How the customer refused the last invitation. In: the types of the timeline's entries, oldest first.
 * Undefined if they opened it since, or have not answered yet.
 */
export function refusalOf(eventTypes: readonly string[]): Refusal | undefined {
  const invitedAt = eventTypes.findLastIndex((type) => invitations.includes(type));
  const since = eventTypes.slice(invitedAt + 1);
  const refused = refusals.find((type) => since.includes(type));
  if (refused === "ticket.invitationNotclicked" && eventTypes.some(isArrival)) {
    return undefined;
  }
  const isOpenedSince =
    since.lastIndexOf("ticket.invitationClicked") > since.lastIndexOf(refused ?? "");
  return isOpenedSince ? undefined : refused;
}
