/** The offered actions, by state and permission. The API enforces both. */
import type { TicketState } from "../../../src/contracts/events.ts";
import type { Permission } from "../../../src/contracts/permissions.ts";
import type { Session } from "../../base/session.ts";
import type { SomeTicket } from "./types.ts";

type Rule = Readonly<{ needs: Permission; from: readonly TicketState[] }>;

/** In display order, the most frequent first. */
const rules = {
  take: { needs: "tickets.take", from: ["new", "open", "updated"] },
  approve: { needs: "tickets.assign", from: ["new"] },
  invite: {
    needs: "tickets.write",
    from: ["new", "open", "opened", "updated", "expired", "declined", "invited"],
  },
  complete: { needs: "tickets.write", from: ["inprogress"] },
  close: { needs: "tickets.assign", from: ["done", "rejected", "declined", "expired"] },
  assign: {
    needs: "tickets.assign",
    from: [
      ...(["new", "open", "opened", "invited", "inprogress", "updated"] as const),
      ...(["expired", "declined", "done"] as const),
    ],
  },
  edit: {
    needs: "tickets.write",
    from: ["new", "open", "opened", "invited", "inprogress", "updated", "done"],
  },
  reject: { needs: "tickets.assign", from: ["new", "open"] },
  cancel: {
    needs: "tickets.write",
    from: ["new", "open", "opened", "updated", "invited", "inprogress"],
  },
  remove: {
    needs: "tickets.write",
    from: [
      ...(["new", "open", "opened", "invited", "updated", "done"] as const),
      ...(["rejected", "declined", "expired", "closed"] as const),
    ],
  },
} as const satisfies Record<string, Rule>;

export type StaffAction = keyof typeof rules;

const order = Object.keys(rules) as StaffAction[];

export function allowedActions(ticket: SomeTicket, session: Session): StaffAction[] {
  return order.filter((action) => {
    const { needs, from }: Rule = rules[action];
    return (
      from.some((state) => state === ticket.state) &&
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

function isOwn(ticket: Pick<SomeTicket, "agent">, { user }: Session): boolean {
  return ticket.agent !== "" && ticket.agent.toLowerCase() === user.login.toLowerCase();
}

/** A user who is not an agent takes a ticket on behalf of its agent. */
function canTake(ticket: SomeTicket, { user }: Session): boolean {
  return user.is_agent || ticket.agent !== "";
}
