/** Resolves and checks what a ticket refers to: its agent, its service, its type and its group. */
import type { DirectoryUser, TicketColleague, TicketService } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import { checkAll, invalidParameter, problem, type Problem } from "../contracts/problems.ts";
import { scopeOf } from "../http/authorize.ts";
import { printable } from "../http/input.ts";
import { ok, route, type Route } from "../http/route.ts";
import type { Queryable } from "../platform/db/pool.ts";
import type { TicketDeps, TicketDirectory } from "./model.ts";
import {
  colleagueListAnswer,
  type CreateTicketBody,
  type NewTicketInput,
  ticketParams,
  type TicketParams,
} from "./schema.ts";
import { findTicket, requireReach } from "./store.ts";

export type TicketParties = {
  agent: DirectoryUser;
  service: TicketService;
  groupId: number | null;
};

export type CheckNewTicket = (scope: Scope, body: Partial<CreateTicketBody>) => Promise<unknown>;

/** References of a new ticket; absent ones are not looked up. */
type TicketReferences = Readonly<{
  agent?: string;
  serviceKey?: string;
  type?: string;
  group?: string;
  templateId?: number;
}>;

type FoundReferences = {
  agent?: DirectoryUser;
  service?: TicketService;
  groupId: number | null;
};

/** Throws a 400 with every field whose reference is unknown. Creates nothing. */
export function createNewTicketCheck(deps: TicketDeps): CheckNewTicket {
  return (scope, { agent, service_key: serviceKey, type, group, templateId }) =>
    findReferences(deps, scope, {
      ...(agent === undefined ? {} : { agent }),
      ...(serviceKey === undefined ? {} : { serviceKey }),
      ...(type === undefined ? {} : { type }),
      ...(group === undefined || group === "" ? {} : { group: String(group) }),
      ...(templateId === undefined ? {} : { templateId }),
    });
}

/** Resolves the agent, service and group. Each must exist in the caller's enterprise. */
export async function findParties(
  deps: TicketDeps,
  scope: Scope,
  { agentLogin, serviceKey, group, templateId, fields }: NewTicketInput,
): Promise<TicketParties> {
  const { agent, service, groupId } = await findReferences(deps, scope, {
    agent: agentLogin,
    type: fields.type,
    ...(serviceKey === undefined ? {} : { serviceKey }),
    ...(group === undefined ? {} : { group }),
    ...(templateId === null ? {} : { templateId }),
  });
  if (agent === undefined || service === undefined) {
    throw new Error("A ticket needs an agent and a service");
  }
  requireAssignable(scope, agent);
  requireAgentInService(agent, service);
  requireGroup(scope, groupId);
  return { agent, service, groupId };
}

/** Throws a 400 with every reference that does not exist in the caller's enterprise. */
async function findReferences(
  { directory, db, invitations }: TicketDeps,
  { enterpriseId }: Scope,
  { agent: login, serviceKey, type = "", group: name, templateId }: TicketReferences,
): Promise<FoundReferences> {
  const found: FoundReferences = { groupId: null };
  await checkAll(
    async () => {
      if (login !== undefined) {
        found.agent = requireAgent(
          await directory.findAgentByLogin(db, enterpriseId, login),
          login,
        );
      }
    },
    async () => {
      const service = await directory.findServiceForTickets(db, enterpriseId, serviceKey);
      found.service = requireKnownService(service, serviceKey);
      requireType(type, found.service);
    },
    async () => {
      if (name !== undefined) {
        found.groupId = requireKnownGroup(await directory.findGroup(db, enterpriseId, name), name);
      }
    },
    async () => {
      if (templateId !== undefined) {
        await invitations.requireTicketTemplate(db, enterpriseId, templateId);
      }
    },
  );
  return found;
}

/** Throws 403 if the caller may not assign tickets to this agent. */
function requireAssignable(scope: Scope, agent: DirectoryUser): void {
  if (!mayAssign(scope, agent)) {
    throw problem("forbidden", `You may not assign tickets to the agent ${agent.login}.`);
  }
}

/** Whom the caller may give tickets: their own agents also those whom they see in the directory. */
export async function requireTransferable(
  db: Queryable,
  { findColleague }: Pick<TicketDirectory, "findColleague">,
  scope: Scope,
  agent: DirectoryUser,
): Promise<void> {
  const isSeen = scope.reach === "own" && (await findColleague(db, scope, agent.id)) !== undefined;
  if (!isSeen) {
    requireAssignable(scope, agent);
  }
}

/** Whether the caller may assign tickets to this user, by groups. */
function mayAssign(scope: Scope, agent: Pick<DirectoryUser, "id" | "groupIds">): boolean {
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
function requireGroup(scope: Scope, groupId: number | null): void {
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
function requireKnownService(
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

function requireKnownGroup(group: { id: number } | undefined, name: string): number {
  if (group === undefined) {
    const text = `The group field is invalid: no group has the name or the id ${printable(name)}.`;
    throw invalidParameter("group", "unknown", text);
  }
  return group.id;
}

/** Throws 400 if the agent is in none of the service's groups. */
function requireAgentInService(
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

/**
 * The colleagues whom the holder of a ticket can choose: as experts of its call, or as its next
 * agent. It shows names and logins only, so that agents need no permission to read users.
 */
type Choice = Pick<TicketColleague, "id" | "login" | "name"> & Readonly<{ mayTake: boolean }>;

/** Throws 404 if the enterprise has no such ticket, 403 if it is out of reach. */
export type ListColleagues = (scope: Scope, ticketId: number) => Promise<Choice[]>;

export function createListColleagues({
  db,
  directory,
}: Pick<TicketDeps, "db" | "directory">): ListColleagues {
  return async (scope, ticketId) => {
    const ticket = requireReach(await findTicket(db, scope, ticketId), ticketId);
    const colleagues = await directory.listColleagues(db, scope, ticket.serviceId);
    return colleagues
      .filter(({ id }) => id !== ticket.agent?.id)
      .map((colleague) => ({
        ...colleague,
        mayTake:
          colleague.isAgentOfService && (scope.reach === "own" || mayAssign(scope, colleague)),
      }));
  };
}

export function colleagueRoutes({
  listColleagues,
}: Readonly<{ listColleagues: ListColleagues }>): Route[] {
  return [
    route<TicketParams>({
      family: "solution",
      limit: "api",
      method: "GET",
      path: "/tickets/{ticketId}/colleagues",
      operationId: "api.v3.tickets.colleagues",
      summary: "List the colleagues who can join the call of a ticket or take it over",
      permission: "tickets.write",
      params: ticketParams,
      answer: {
        status: 200,
        schema: colleagueListAnswer,
      },
      handle: async (request) => {
        const found = await listColleagues(scopeOf(request), request.params.ticketId);
        const data = found.map(({ id, login, name, mayTake }) => ({
          ...{ id, login, name, may_take: mayTake },
        }));
        return ok({ total: data.length, data });
      },
    }),
  ];
}
