import type { Tenant, Member } from "../../support/tenant.ts";
import type { ClassifiedRoutes } from "./kinds.ts";
import {
  assignTickets,
  readTickets,
  readTimeline,
  takeTickets,
  transferTickets,
  writeTickets,
} from "./roles.ts";

const ticket = { family: "solution", target: "ticket", status: 200 } as const;

/** Managers cannot have tickets themselves, because they are not agents. */
function ownAgent({ members }: Tenant, actor: Member): string {
  return actor.role === "agent" ? actor.login : members.agent.login;
}

export const ticketRoutes: ClassifiedRoutes = {
  "POST /tickets": {
    ...{ family: "solution", access: writeTickets, target: "none", status: 201 },
    body: (tenant, actor) => ({ agent: ownAgent(tenant, actor), email: "jane@example.com" }),
  },
  "GET /tickets": { family: "solution", access: readTickets, target: "none", status: 200 },
  "GET /tickets/{ticketId}": { ...ticket, access: readTickets },
  "PATCH /tickets/{ticketId}": {
    ...{ ...ticket, access: writeTickets, state: "opened", conflictIn: "closed" },
    body: () => ({ subject: "Another subject" }),
  },
  "DELETE /tickets/{ticketId}": {
    ...{ ...ticket, access: writeTickets, status: 204, state: "closed", conflictIn: "inprogress" },
  },
  "GET /tickets/{ticketId}/events": { ...ticket, access: readTimeline },
  "GET /tickets/{ticketId}/messages": { ...ticket, access: readTickets },
  "GET /tickets/{ticketId}/sessions": { ...ticket, access: readTickets },
  "POST /tickets/{ticketId}/take": {
    ...{ ...ticket, access: takeTickets, state: "new", conflictIn: "done", claimedBy: ["agent"] },
  },
  "PUT /tickets/{ticketId}/agent": {
    ...{ ...ticket, access: transferTickets, state: "opened", conflictIn: "closed" },
    // Agents may only reassign their own tickets.
    body: ({ members, colleague }, { role }) => ({
      agent: role === "agent" ? colleague.login : members.agent.login,
    }),
  },
  "GET /tickets/{ticketId}/colleagues": { ...ticket, access: writeTickets },
  "GET /tickets/{ticketId}/experts": { ...ticket, access: writeTickets, isOwnersOnly: true },
  "POST /tickets/{ticketId}/experts": {
    ...{ ...ticket, target: "ticketInCall", access: writeTickets, status: 201 },
    ...{ state: "inprogress", conflictIn: "closed", isOwnersOnly: true },
    body: () => ({ email: "vera@example.com", name: "Vera Klein" }),
  },
  "POST /tickets/{ticketId}/approve": {
    ...{ ...ticket, access: assignTickets, state: "new", conflictIn: "opened" },
  },
  "POST /tickets/{ticketId}/reject": {
    ...{ ...ticket, access: assignTickets, state: "open", conflictIn: "opened" },
  },
  "POST /tickets/{ticketId}/complete": {
    ...{ ...ticket, access: writeTickets, state: "inprogress", conflictIn: "new" },
  },
  "POST /tickets/{ticketId}/cancel": {
    ...{ ...ticket, access: writeTickets, state: "invited", conflictIn: "done" },
  },
  "POST /tickets/{ticketId}/close": {
    ...{ ...ticket, access: assignTickets, state: "done", conflictIn: "new" },
  },
  "POST /tickets/{ticketId}/invitations": {
    ...{ ...ticket, access: writeTickets, state: "opened", conflictIn: "closed" },
    body: () => ({}),
  },
  "POST /tickets/{ticketId}/room-token": {
    ...{ ...ticket, access: writeTickets, state: "opened", conflictIn: "closed" },
    ...{ isReading: true, isOwnersOnly: true },
  },
  "GET /tickets/{ticketId}/position": { ...ticket, access: readTickets },
  "POST /tickets/{ticketId}/position-requests": {
    ...{ ...ticket, access: writeTickets, state: "inprogress" },
  },
};
