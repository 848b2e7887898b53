import type { TicketState } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Person } from "../contracts/session-events.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import { move, type Place, type TicketAction } from "./model.ts";
import type { TicketDeps } from "./ports.ts";
import { requireReach } from "./reach.ts";
import { lockTicket } from "./store.ts";
import { agentPerson, type Ticket } from "./ticket.ts";
import { createTicketWriter, type TicketWriter } from "./writer.ts";

/**
 * The frame of every use case that changes a ticket: one transaction that first locks it. Of two
 * callers who race, the second sees what the first made of the ticket, and is refused where that
 * no longer allows its move.
 */
export type LockedTickets = TicketWriter & {
  withTicket: <T>(
    scope: Scope,
    id: number,
    work: (trx: Trx, ticket: Ticket) => Promise<T>,
  ) => Promise<T>;
  /** The ticket's agent as entries show it; the caller where it has none. */
  personOf: (trx: Trx, scope: Scope, ticket: Ticket) => Promise<Person>;
};

export function createLockedTickets(deps: TicketDeps): LockedTickets {
  return {
    ...createTicketWriter(deps),
    withTicket: (scope, id, work) =>
      inTransaction(deps.db, async (trx) =>
        work(trx, requireReach(await lockTicket(trx, scope, id), id)),
      ),
    personOf: async (trx, { enterpriseId, userId }, ticket) => {
      const caller =
        ticket.agent === null
          ? await deps.directory.findUser(trx, enterpriseId, userId)
          : undefined;
      return caller?.person ?? agentPerson(ticket);
    },
  };
}

/** The same for actions that end in a state. */
export function requireState(ticket: Ticket, action: Exclude<TicketAction, "remove">): TicketState {
  return requireMove(ticket, action) as TicketState;
}

/** Where the action leads; a conflict that names both states where it is not allowed. */
export function requireMove(ticket: Ticket, action: TicketAction): Place {
  const { isAllowed, to } = move(ticket.state, action);
  if (!isAllowed) {
    throw problem("conflict", `A ticket that is ${ticket.state} does not allow this.`, {
      details: `Transition ${ticket.state} → ${to}`,
    });
  }
  return to;
}
