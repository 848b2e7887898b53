import type { TicketState } from "../contracts/events.ts";
import { problem } from "../contracts/problems.ts";
import type { Person } from "../contracts/session-events.ts";
import { inTransaction, type Trx } from "../platform/db/pool.ts";
import { ticketUpdated } from "./events.ts";
import { move, type Place, type TicketAction } from "./model.ts";
import type { TicketDeps, TimelineEntry } from "./ports.ts";
import { requireReach } from "./reach.ts";
import { lockTicket, updateTicket, type TicketUpdate } from "./store.ts";
import type { Agent, Scope, Ticket } from "./ticket.ts";

/**
 * The frame of every use case that changes a ticket: one transaction that first locks it. Of two
 * callers who race, the second sees what the first made of the ticket, and is refused where that
 * no longer allows its move.
 */
export type LockedTickets = {
  withTicket: <T>(
    scope: Scope,
    id: number,
    work: (trx: Trx, ticket: Ticket) => Promise<T>,
  ) => Promise<T>;
  /** Writes the ticket, then its timeline, then tells both: the entries first, the ticket last. */
  save: (
    trx: Trx,
    before: Ticket,
    update: Omit<TicketUpdate, "modifiedAt">,
    entriesOf: (after: Ticket) => TimelineEntry[],
  ) => Promise<Ticket>;
  /** The ticket's agent as entries show it; the caller where it has none. */
  personOf: (trx: Trx, scope: Scope, agent: Agent | null) => Promise<Person>;
};

export const createLockedTickets = (deps: TicketDeps): LockedTickets => ({
  withTicket: (scope, id, work) =>
    inTransaction(deps.db, async (trx) =>
      work(trx, requireReach(await lockTicket(trx, scope, id), id)),
    ),
  save: async (trx, before, update, entriesOf) => {
    const modifiedAt = deps.clock.now();
    const after = await updateTicket(trx, before, { ...update, modifiedAt });
    const told = await deps.timeline.write(trx, entriesOf(after));
    await deps.outbox.append(trx, [...told, ticketUpdated(after)]);
    return after;
  },
  personOf: async (trx, { enterpriseId, userId }, agent) => {
    const person =
      agent?.person ?? (await deps.directory.findUser(trx, enterpriseId, userId))?.person;
    return person ?? { email: "", phone: "", firstname: "", lastname: "" };
  },
});

/** Where the action leads; a conflict that names both states where it is not allowed. */
export const requireMove = (ticket: Ticket, action: TicketAction): Place => {
  const { isAllowed, to } = move(ticket.state, action);
  if (!isAllowed) {
    throw problem("conflict", `A ticket that is ${ticket.state} does not allow this.`, {
      details: `Transition ${ticket.state} → ${to}`,
    });
  }
  return to;
};

/** The same for actions that end in a state. */
export const requireState = (
  ticket: Ticket,
  action: Exclude<TicketAction, "remove">,
): TicketState => requireMove(ticket, action) as TicketState;
