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

/**
 * How the customer refused the last invitation. In: the types of the timeline's entries, oldest first.
 * Undefined if they opened it since, or have not answered yet.
 */
export function refusalOf(eventTypes: readonly string[]): (typeof refusals)[number] | undefined {
  const since = eventTypes.slice(eventTypes.lastIndexOf("ticket.invitationSent") + 1);
  const refused = refusals.find((type) => since.includes(type));
  const isOpenedSince =
    since.lastIndexOf("ticket.invitationClicked") > since.lastIndexOf(refused ?? "");
  return isOpenedSince ? undefined : refused;
}
