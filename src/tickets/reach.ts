/** Access checks: 404 for tickets of other enterprises, 403 for those out of reach. */
import type { DirectoryUser, TicketService } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import { invalidParameter, problem, type Problem } from "../contracts/problems.ts";
import { printable } from "../http/input.ts";
import type { FoundTicket } from "./store.ts";
import type { Ticket } from "./model.ts";

/** Throws 404 if the enterprise has no such ticket, 403 if it is out of reach. */
export function requireReach(found: FoundTicket | undefined, id: number): Ticket {
  if (found === undefined) {
    throw problem("not_found", `Ticket ${id} was not found.`);
  }
  if (!found.isInReach) {
    throw problem("forbidden", `Ticket ${id} belongs to another user.`);
  }
  return found.ticket;
}

/** Throws 403 if the caller may not assign tickets to this agent. */
export function requireAssignable(scope: Scope, agent: DirectoryUser): void {
  if (!mayAssign(scope, agent)) {
    throw problem("forbidden", `You may not assign tickets to the agent ${agent.login}.`);
  }
}

function mayAssign(scope: Scope, agent: DirectoryUser): boolean {
  switch (scope.reach) {
    case "all":
      return true;
    case "own":
      return agent.id === scope.userId;
    case "group":
      return (
        agent.id === scope.userId || agent.groupIds.some((group) => scope.groupIds.includes(group))
      );
    default:
      return scope.reach satisfies never;
  }
}

/** Throws 403 if the caller may not assign tickets to this group. */
export function requireGroup(scope: Scope, groupId: number | null): void {
  if (groupId !== null && scope.reach !== "all" && !scope.groupIds.includes(groupId)) {
    throw problem("forbidden", "You may assign tickets only to your own groups.");
  }
}

/** Throws 400 if there is no agent with this login. */
export function requireAgent(agent: DirectoryUser | undefined, login: string): DirectoryUser {
  if (agent === undefined) {
    const text = `The agent field is invalid: no active user who is an agent has the login ${printable(login)}.`;
    throw invalidParameter("agent", "unknown", text);
  }
  return agent;
}

/** Throws 400 if the enterprise has no such ticket service. */
export function requireKnownService(
  service: TicketService | undefined,
  key: string | undefined,
): TicketService {
  if (service === undefined) {
    const which = key === undefined ? "" : ` with the key ${printable(key)}`;
    const text = `The service_key field is invalid: there is no active service for tickets${which}.`;
    throw invalidParameter("service_key", "unknown", text);
  }
  return service;
}

/** Throws 400 if the type is not in the service's list. */
export function requireType(
  type: string,
  { ticketTypes }: Pick<TicketService, "ticketTypes">,
): void {
  if (type !== "" && ticketTypes.length > 0 && !ticketTypes.includes(type)) {
    const text = `The type field is invalid: it must be one of ${ticketTypes.join(", ")}.`;
    throw invalidParameter("type", "unknown", text);
  }
}

export function requireKnownGroup(group: { id: number } | undefined, name: string): number {
  if (group === undefined) {
    const text = `The group field is invalid: no group has the name or the id ${printable(name)}.`;
    throw invalidParameter("group", "unknown", text);
  }
  return group.id;
}

/** Throws 400 if the agent is in none of the service's groups. */
export function requireAgentInService(
  agent: DirectoryUser,
  { groupIds }: Pick<TicketService, "groupIds">,
): void {
  if (groupIds.length > 0 && !groupIds.some((group) => agent.groupIds.includes(group))) {
    throw agentNotInService(agent);
  }
}

/** The problem that the agent is in none of the service's groups. */
export function agentNotInService({ login }: DirectoryUser): Problem {
  return invalidParameter(
    "agent",
    "not_in_service",
    `The agent ${login} is not in a group of the ticket's service.`,
  );
}
