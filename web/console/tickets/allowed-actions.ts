/** The offered actions, by state and permission. The API enforces both. */
import type { Permission } from "../../../src/contracts/permissions.ts";
import { canMeet, type TicketAction, transition } from "../../../src/contracts/tickets.ts";
import type { Session } from "../../base/session.ts";
import { isTicketState, type SomeTicket } from "./types.ts";

type Rule = Readonly<{ needs: Permission; action: TicketAction }>;

/** In display order, the most frequent first. */
const rules = {
  take: { needs: "tickets.take", action: "take" },
  approve: { needs: "tickets.assign", action: "approve" },
  invite: { needs: "tickets.write", action: "invite" },
  complete: { needs: "tickets.write", action: "complete" },
  close: { needs: "tickets.assign", action: "close" },
  assign: { needs: "tickets.transfer", action: "transfer" },
  edit: { needs: "tickets.write", action: "change" },
  reject: { needs: "tickets.assign", action: "reject" },
  cancel: { needs: "tickets.write", action: "cancel" },
  remove: { needs: "tickets.write", action: "remove" },
} as const satisfies Record<string, Rule>;

export type StaffAction = keyof typeof rules;

const order = Object.keys(rules) as StaffAction[];

export function allowedActions(ticket: SomeTicket, session: Session): StaffAction[] {
  return order.filter((action) => {
    const { needs, action: cause }: Rule = rules[action];
    return (
      isTicketState(ticket.state) &&
      transition(ticket.state, cause).isAllowed &&
      reaches(session, needs, ticket) &&
      (action !== "take" || canTake(ticket, session))
    );
  });
}

/** Whether a permission applies to this ticket; only the API knows the ticket's groups. */
export function reaches(
  session: Session,
  permission: Permission,
  ticket: Pick<SomeTicket, "agent">,
): boolean {
  const reach = session.permissions[permission];
  return reach !== undefined && (reach !== "own" || isOwn(ticket, session));
}

export function isOwn(ticket: Pick<SomeTicket, "agent">, { user }: Session): boolean {
  return ticket.agent !== "" && ticket.agent.toLowerCase() === user.login.toLowerCase();
}

/** Whether the user may open the call of the ticket. */
export function canCall(ticket: SomeTicket, session: Session): boolean {
  const { state } = ticket;
  return reaches(session, "tickets.write", ticket) && isTicketState(state) && canMeet(state);
}

/** A user who is not an agent takes a ticket on behalf of its agent. */
function canTake(ticket: SomeTicket, { user }: Session): boolean {
  return user.is_agent || ticket.agent !== "";
}
