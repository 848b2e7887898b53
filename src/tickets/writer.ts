/** Writes tickets, their timeline entries and their events, under the lock of the ticket. */
import type { Trx } from "../platform/db/pool.ts";
import { inImplicitTransaction, inTransaction } from "../platform/db/transaction.ts";
import { toError } from "../platform/errors.ts";
import {
  entryAgentOf,
  requestorPerson,
  type Ticket,
  type TicketDeps,
  type WriterDeps,
} from "./model.ts";
import type { TicketFields } from "./fields.ts";
import {
  findTicket,
  isOutdated,
  updateTicket,
  type TicketUpdate,
  lockTicket,
  requireReach,
} from "./store.ts";
import { type TicketAction, type TicketLifecycleState, transition } from "../contracts/tickets.ts";
import type { TicketState, EventAction, OutboundEvent, TicketProps } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type {
  EntryAgent,
  TimelineEvent,
  TimelineEntry,
  SessionEventSource,
  SessionEventTypeWithOnly,
} from "../contracts/session-events.ts";

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

/** Throws 404 if the enterprise has no such ticket, 403 if it is out of reach. */
type TicketTransaction = <T>(
  scope: Scope,
  id: number,
  work: (trx: Trx, ticket: Ticket) => Promise<T>,
) => Promise<T>;

export type LockedTickets = TicketWriter & {
  /**
   * Locks the ticket for the whole use case. The loser of a race sees the winner's change and may
   * get a conflict.
   */
  withTicket: TicketTransaction;
  /**
   * The same for work that depends on nothing else that the lock protects, and has no effect
   * outside of its transaction. It starts without the lock, which saves a third of the statements,
   * and runs again with it if the ticket has changed before its update.
   */
  withUnlockedTicket: TicketTransaction;
  /** The ticket's agent, else the caller. */
  entryAgentOf: (trx: Trx, scope: Scope, ticket: Ticket) => Promise<EntryAgent>;
};

export type AgentEventType = SessionEventTypeWithOnly<"agent">;

type RequestorEventType = SessionEventTypeWithOnly<"requestor">;

export function createLockedTickets(deps: TicketDeps): LockedTickets {
  const withTicket: TicketTransaction = (scope, id, work) =>
    inTransaction(deps.db, async (trx) =>
      work(trx, requireReach(await lockTicket(trx, scope, id), id)),
    );
  return {
    ...createTicketWriter(deps),
    withTicket,
    withUnlockedTicket: async (scope, id, work) => {
      const ticket = requireReach(await findTicket(deps.db, scope, id), id);
      try {
        return await inImplicitTransaction(deps.db, (trx) => work(trx, ticket));
      } catch (thrown) {
        if (isOutdated(toError(thrown))) {
          return withTicket(scope, id, work);
        }
        throw thrown;
      }
    },
    entryAgentOf: async (trx, { enterpriseId, userId }, ticket) => {
      const caller =
        ticket.agent === null
          ? await deps.directory.findUser(trx, enterpriseId, userId)
          : undefined;
      return caller ?? entryAgentOf(ticket);
    },
  };
}

export function createTicketWriter({ clock, timeline, outbox }: WriterDeps): TicketWriter {
  return {
    save: async (trx, before, update, entriesOf) => {
      const after = await updateTicket(trx, before, {
        modifiedAt: update.at ?? clock.now(),
        ...update,
      });
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

export function ticketUpdated(ticket: Ticket): OutboundEvent {
  return ticketEvent("update", ticket);
}

/** For actions that lead to a state. */
export function requireNextState(
  ticket: Ticket,
  action: Exclude<TicketAction, "remove">,
): TicketState {
  return requireTransition(ticket, action) as TicketState;
}

/** A ticket is updated by news about its matter; its contact, dates and language are no news. */
const matter = ["subject", "description", "reference", "type", "priority"] as const;

/** The state after a change of fields; a conflict if the ticket cannot be changed. */
export function requireStateAfter(ticket: Ticket, fields: TicketFields): TicketState {
  const updated = requireNextState(ticket, "change");
  return matter.some((field) => fields[field] !== ticket[field]) ? updated : ticket.state;
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

export function ticketCreated(ticket: Ticket): OutboundEvent {
  return ticketEvent("create", ticket);
}

/** Contains the last values. */
export function ticketDeleted(ticket: Ticket): OutboundEvent {
  return ticketEvent("delete", ticket);
}

function ticketEvent(event: EventAction, ticket: Ticket): OutboundEvent {
  return {
    enterpriseId: ticket.enterpriseId,
    key: `ticket:${ticket.id}`,
    event,
    object: "ticket",
    objectId: ticket.id,
    props: propsOf(ticket),
  };
}

/** The payload of webhooks. `geoloc` is absent until a position is known. */
function propsOf({ state, geoloc }: Ticket): TicketProps {
  return geoloc === null ? { state } : { state, geoloc: { lat: geoloc.lat, lng: geoloc.lng } };
}

export function agentEntry(
  ticket: Ticket,
  eventType: AgentEventType,
  agent: EntryAgent,
): TimelineEntry {
  return toTimelineEntry(ticket, agentEvent(eventType, agent), ticket.modifiedAt);
}

/** Entry with the ticket's agent, or the acting user if it has none. */
export function agentEvent(
  eventType: AgentEventType,
  { id: agentId, person: agent }: EntryAgent,
  source: SessionEventSource = "agent",
): TimelineEvent {
  return { eventType, source, attributes: { agent }, agentId };
}

export function priorityEntry(
  ticket: Ticket,
  { id: agentId, person: agent }: EntryAgent,
  priorities: { oldPriority: number; newPriority: number },
): TimelineEntry {
  const attributes = { agent, ...priorities };
  const priorityChanged = { eventType: "ticket.priorityChanged", source: "agent" } as const;
  return toTimelineEntry(ticket, { ...priorityChanged, attributes, agentId }, ticket.modifiedAt);
}

export function toTimelineEntry(ticket: Ticket, event: TimelineEvent, at: Date): TimelineEntry {
  return {
    ...event,
    enterpriseId: ticket.enterpriseId,
    ticketId: ticket.id,
    conversationId: ticket.conversationId,
    at,
  };
}

/** Entry with the customer. */
export function requestorEvent(
  ticket: Ticket,
  eventType: RequestorEventType,
  source: SessionEventSource,
): TimelineEvent {
  return { eventType, source, attributes: { requestor: requestorPerson(ticket) } };
}
