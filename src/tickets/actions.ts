import { invalidParameter, problem } from "../contracts/problems.ts";
import type { Trx } from "../platform/db/pool.ts";
import { agentEntry, type AgentEventType } from "./events.ts";
import { createLockedTickets, requireState, type LockedTickets } from "./locked.ts";
import type { TicketAction } from "./model.ts";
import type { Directory, DirectoryUser, TicketDeps } from "./ports.ts";
import { requireAssignable } from "./reach.ts";
import type { Scope, Ticket } from "./ticket.ts";

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
  /** Gives the ticket to another agent. The state, the links and a running session stay. */
  transfer(scope: Scope, id: number, agentLogin: string): Promise<Ticket>;
};

const createDecide =
  (
    { withTicket, personOf, save }: LockedTickets,
    { ssoTokens }: TicketDeps,
  ): TicketActions["decide"] =>
  (scope, id, decision) =>
    withTicket(scope, id, async (trx, ticket) => {
      const state = requireState(ticket, decision);
      const { eventType, ...update } = decisions[decision];
      const person = await personOf(trx, scope, ticket.agent);
      const after = await save(trx, ticket, { state, ...update }, (saved) => [
        agentEntry(saved, eventType, person),
      ]);
      if (state === "closed") {
        await ssoTokens.revokeSsoTokens(trx, { enterpriseId: ticket.enterpriseId, ticketId: id });
      }
      return after;
    });

const findTaker = async (
  trx: Trx,
  directory: Directory,
  scope: Scope,
  ticket: Ticket,
): Promise<Pick<DirectoryUser, "id" | "person">> => {
  const caller = await directory.findUser(trx, scope.enterpriseId, scope.userId);
  const taker = caller?.isAgent === true ? caller : ticket.agent;
  if (taker === null) {
    throw problem("forbidden", "Only an agent can take a ticket that has no agent yet.");
  }
  return taker;
};

const createTake =
  ({ withTicket, save }: LockedTickets, { directory }: TicketDeps): TicketActions["take"] =>
  (scope, id) =>
    withTicket(scope, id, async (trx, ticket) => {
      const state = requireState(ticket, "take");
      const taker = await findTaker(trx, directory, scope, ticket);
      return save(trx, ticket, { state, agentId: taker.id }, (saved) =>
        taker.id === ticket.agent?.id ? [] : [agentEntry(saved, "ticket.assigned", taker.person)],
      );
    });

const createTransfer =
  ({ withTicket, save }: LockedTickets, { directory }: TicketDeps): TicketActions["transfer"] =>
  (scope, id, agentLogin) =>
    withTicket(scope, id, async (trx, ticket) => {
      const agent = await directory.findAgentByLogin(trx, scope.enterpriseId, agentLogin);
      if (agent === undefined) {
        throw invalidParameter("agent", "unknown");
      }
      requireAssignable(scope, agent);
      const state = requireState(ticket, "transfer");
      if (agent.id === ticket.agent?.id) {
        return ticket;
      }
      return save(trx, ticket, { state, agentId: agent.id }, (saved) => [
        agentEntry(saved, "ticket.assigned", agent.person),
      ]);
    });

export const createTicketActions = (deps: TicketDeps): TicketActions => {
  const locked = createLockedTickets(deps);
  return {
    decide: createDecide(locked, deps),
    take: createTake(locked, deps),
    transfer: createTransfer(locked, deps),
  };
};
