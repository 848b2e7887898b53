import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import { agentEntry, type AgentEventType } from "./events.ts";
import { createLockedTickets, requireState, type LockedTickets } from "./locked.ts";
import type { TicketAction } from "./model.ts";
import type { Directory, DirectoryUser, TicketDeps } from "./ports.ts";
import { notOfTheService, requireAgent, requireAssignable } from "./reach.ts";
import type { Ticket } from "./ticket.ts";

/** Moves that need nothing but the ticket and the caller, with the entry each writes. */
const decisions = {
  approve: { eventType: "ticket.approved" },
  reject: { eventType: "ticket.cancelled" },
  complete: { eventType: "ticket.completed" },
  cancel: { eventType: "ticket.cancelled", closeReason: "cancelled" },
  close: { eventType: "ticket.closed", closeReason: "closed" },
} as const satisfies Partial<
  Record<TicketAction, { eventType: AgentEventType; closeReason?: "closed" | "cancelled" }>
>;

export type Decision = keyof typeof decisions;

export type TicketActions = {
  decide(scope: Scope, id: number, decision: Decision): Promise<Ticket>;
  /** The caller becomes the agent; a caller who is none takes it for the agent it has. */
  take(scope: Scope, id: number): Promise<Ticket>;
  /**
   * Gives the ticket to another agent. The state, the customer's links and a running session stay;
   * the former agent's link ends.
   */
  transfer(scope: Scope, id: number, agentLogin: string): Promise<Ticket>;
};

export function createTicketActions(deps: TicketDeps): TicketActions {
  const locked = createLockedTickets(deps);
  return {
    decide: createDecide(locked, deps),
    take: createTake(locked, deps),
    transfer: createTransfer(locked, deps),
  };
}

/**
 * A ticket that leaves `inprogress` takes its room with it. Its new state is written before the
 * room ends, so that the end of the session leads it nowhere else; who left comes first in the
 * timeline all the same.
 */
function createDecide(
  { withTicket, personOf, save }: LockedTickets,
  deps: TicketDeps,
): TicketActions["decide"] {
  return (scope, id, decision) =>
    withTicket(scope, id, async (trx, ticket) => {
      const state = requireState(ticket, decision);
      const { eventType, ...update } = decisions[decision];
      const { enterpriseId, conversationId } = ticket;
      const person = await personOf(trx, scope, ticket);
      const at = deps.clock.now();
      const after = await save(trx, ticket, { state, at, ...update }, async (saved) => {
        if (ticket.state === "inprogress") {
          await deps.endRoom(trx, { enterpriseId, conversationId });
        }
        return [agentEntry(saved, eventType, person)];
      });
      if (state === "closed") {
        await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId: id });
      }
      return after;
    });
}

function createTake({ withTicket, save }: LockedTickets, deps: TicketDeps): TicketActions["take"] {
  return (scope, id) =>
    withTicket(scope, id, async (trx, ticket) => {
      const state = requireState(ticket, "take");
      const { enterpriseId } = ticket;
      const taker = await findTaker(trx, deps.directory, scope, ticket);
      if (taker.id === ticket.agent?.id) {
        return save(trx, ticket, { state }, () => []);
      }
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId: id });
      return save(trx, ticket, { state, agentId: taker.id }, (saved) => [
        agentEntry(saved, "ticket.assigned", taker.person),
      ]);
    });
}

async function findTaker(
  trx: Trx,
  directory: Directory,
  scope: Scope,
  ticket: Ticket,
): Promise<Pick<DirectoryUser, "id" | "person">> {
  const caller = await directory.findUser(trx, scope.enterpriseId, scope.userId);
  const taker = caller?.isAgent === true ? caller : ticket.agent;
  if (taker === null) {
    throw problem("forbidden", "Only an agent can take a ticket that has no agent yet.");
  }
  const { enterpriseId, serviceId } = ticket;
  if (
    taker.id !== ticket.agent?.id &&
    !(await directory.mayServe(trx, enterpriseId, serviceId, taker.id))
  ) {
    throw problem("forbidden", "You are in no group of the ticket's service.");
  }
  return taker;
}

function createTransfer(
  { withTicket, save }: LockedTickets,
  deps: TicketDeps,
): TicketActions["transfer"] {
  return (scope, id, login) =>
    withTicket(scope, id, async (trx, ticket) => {
      const agent = await findSuccessor(trx, deps.directory, scope, { ticket, login });
      const state = requireState(ticket, "transfer");
      if (agent.id === ticket.agent?.id) {
        return ticket;
      }
      const { enterpriseId } = ticket;
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId: id });
      return save(trx, ticket, { state, agentId: agent.id }, (saved) => [
        agentEntry(saved, "ticket.assigned", agent.person),
      ]);
    });
}

/** The agent of that login, if they exist, are within the caller's reach and may do the work. */
async function findSuccessor(
  trx: Trx,
  directory: Directory,
  scope: Scope,
  { ticket, login }: { ticket: Ticket; login: string },
): Promise<DirectoryUser> {
  const { enterpriseId, serviceId } = ticket;
  const agent = requireAgent(await directory.findAgentByLogin(trx, enterpriseId, login), login);
  requireAssignable(scope, agent);
  if (!(await directory.mayServe(trx, enterpriseId, serviceId, agent.id))) {
    throw notOfTheService(agent);
  }
  return agent;
}
