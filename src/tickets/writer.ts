import { type Trx, inTransaction } from "../platform/db/pool.ts";
import { toTimelineEntry, ticketUpdated } from "./events.ts";
import type { WriterDeps, TicketDeps } from "./ports.ts";
import { updateTicket, type TicketUpdate, lockTicket } from "./store.ts";
import {
  type Ticket,
  agentPerson,
  transition,
  type TicketLifecycleState,
  type TicketAction,
} from "./model.ts";
import type { TicketState } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Person, TimelineEvent, TimelineEntry } from "../contracts/session-events.ts";
import { requireReach } from "./reach.ts";

export type TicketWriter = {
  /**
   * Writes the ticket and its timeline, then appends events: entries first, ticket last. The caller
   * holds the lock.
   */
  save(
    trx: Trx,
    before: Ticket,
    update: Omit<TicketUpdate, "modifiedAt"> & { at?: Date },
    entriesOf: (after: Ticket) => readonly TimelineEntry[] | Promise<readonly TimelineEntry[]>,
  ): Promise<Ticket>;
  /** Writes timeline entries and appends their events. */
  writeTimeline(
    trx: Trx,
    ticket: Ticket,
    timelineEvents: readonly TimelineEvent[],
    at?: Date,
  ): Promise<void>;
};

/**
 * Locks the ticket for the whole use case. The loser of a race sees the winner's change and may get
 * a conflict.
 */
export type LockedTickets = TicketWriter & {
  withTicket: <T>(
    scope: Scope,
    id: number,
    work: (trx: Trx, ticket: Ticket) => Promise<T>,
  ) => Promise<T>;
  /** The ticket's agent, else the caller. */
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

export function createTicketWriter({ clock, timeline, outbox }: WriterDeps): TicketWriter {
  return {
    save: async (trx, before, { at = clock.now(), ...update }, entriesOf) => {
      const after = await updateTicket(trx, before, { ...update, modifiedAt: at });
      const entryEvents = await timeline.write(trx, await entriesOf(after));
      await outbox.append(trx, [...entryEvents, ticketUpdated(after)]);
      return after;
    },
    writeTimeline: async (trx, ticket, timelineEvents, at = clock.now()) => {
      if (timelineEvents.length > 0) {
        const entries = timelineEvents.map((event) => toTimelineEntry(ticket, event, at));
        await outbox.append(trx, await timeline.write(trx, entries));
      }
    },
  };
}

/** For actions that lead to a state. */
export function requireNextState(
  ticket: Ticket,
  action: Exclude<TicketAction, "remove">,
): TicketState {
  return requireTransition(ticket, action) as TicketState;
}

/** The next state; a conflict with both states if the action is not allowed. */
export function requireTransition(ticket: Ticket, action: TicketAction): TicketLifecycleState {
  const { isAllowed, to } = transition(ticket.state, action);
  if (!isAllowed) {
    throw problem("conflict", `A ticket that is ${ticket.state} does not allow this.`, {
      details: `Transition ${ticket.state} → ${to}`,
    });
  }
  return to;
}
