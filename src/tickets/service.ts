import type { DirectoryUser } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import { createBoundedSearch, type BoundedSearch } from "../http/paging.ts";
import {
  agentNotInService,
  type CheckNewTicket,
  createListColleagues,
  createNewTicketCheck,
  type ListColleagues,
  requireAgent,
  requireTransferable,
  requireType,
} from "./references.ts";
import { createTicketCreator, endOfSsoTokens, type CreateTicket } from "./create.ts";
import { type TicketFilter, type TicketSort, countTickets, listTickets } from "./list-store.ts";
import { createTicketInvitation, type InviteTicket, createInviter } from "./invite.ts";
import type { Ticket, TicketDeps, TicketDirectory } from "./model.ts";
import { createTicketRequest, type RequestTicket } from "./customer.ts";
import { findTicket, markTicketDeleted, requireReach } from "./store.ts";
import type { TicketAction } from "../contracts/tickets.ts";
import { problem } from "../contracts/problems.ts";
import type { Trx, Queryable } from "../platform/db/pool.ts";
import {
  agentEntry,
  type AgentEventType,
  priorityEntry,
  ticketDeleted,
  createLockedTickets,
  requireNextState,
  requireStateAfter,
  type LockedTickets,
  requireTransition,
} from "./writer.ts";
import { isSameFields } from "./fields.ts";
import type { EntryAgent, TimelineEntry } from "../contracts/session-events.ts";
import { parseTicketChange, type ChangeTicketBody } from "./schema.ts";

export type Tickets = TicketActions &
  TicketChanges & {
    create: CreateTicket;
    checkNew: CheckNewTicket;
    /** Invites the customer; repeatable. */
    invite: InviteTicket;
    /** A customer's request at an entry point. */
    request: RequestTicket;
    /** Throws 404 if the enterprise has no such ticket, 403 if it is out of reach. */
    get(scope: Scope, id: number): Promise<Ticket>;
    list: BoundedSearch<TicketFilter, TicketSort, Ticket>;
    /** Whom the caller can invite into the call of a ticket, or transfer it to. */
    listColleagues: ListColleagues;
  };

/** Actions without further input, with the timeline entry of each. */
const decisions = {
  approve: { eventType: "ticket.approved" },
  reject: { eventType: "ticket.cancelled" },
  complete: { eventType: "ticket.completed" },
  cancel: { eventType: "ticket.cancelled", closeReason: "cancelled" },
  close: { eventType: "ticket.closed", closeReason: "closed" },
} as const satisfies Partial<
  Record<TicketAction, { eventType: AgentEventType; closeReason?: "closed" | "cancelled" }>
>;

export type TicketDecision = keyof typeof decisions;

export type TicketActions = {
  decide(scope: Scope, id: number, decision: TicketDecision): Promise<Ticket>;
  /**
   * The caller becomes the ticket's agent. A caller without the agent flag takes it for its present
   * agent.
   */
  take(scope: Scope, id: number): Promise<Ticket>;
  /**
   * Gives the ticket to another agent. The state, the customer's links and a running session stay;
   * the former agent's link ends.
   */
  transfer(scope: Scope, id: number, agentLogin: string): Promise<Ticket>;
};

export type TicketChanges = {
  /**
   * Updates the fields in the body. Without a difference nothing is written and no event is sent.
   */
  change(scope: Scope, id: number, body: ChangeTicketBody): Promise<Ticket>;
  /** Throws 400 if the body refers to something unknown. Changes nothing. */
  checkChange(scope: Scope, id: number, body: ChangeTicketBody): Promise<void>;
  /** Soft delete: the ticket and its links are no longer found. */
  remove(scope: Scope, id: number): Promise<void>;
};

export function createTickets(deps: TicketDeps): Tickets {
  return {
    ...createTicketActions(deps),
    ...createTicketChanges(deps),
    create: createTicketCreator(deps),
    checkNew: createNewTicketCheck(deps),
    invite: createTicketInvitation(deps),
    request: createTicketRequest(deps),
    get: async (scope, id) => requireReach(await findTicket(deps.db, scope, id), id),
    listColleagues: createListColleagues(deps),
    list: createBoundedSearch(
      {
        list: (scope, filter, page) => listTickets(deps.db, scope, filter, page),
        count: (scope, filter) => countTickets(deps.db, scope, filter),
      },
      { perTenant: 3, total: 5 },
    ),
  };
}

function createTicketActions(deps: TicketDeps): TicketActions {
  const locked = createLockedTickets(deps);
  return {
    decide: createDecide(locked, deps),
    take: createTake(locked, deps),
    transfer: createTransfer(locked, deps),
  };
}

/**
 * Ends the room when a ticket leaves `inprogress`. The state is saved first, so the session's end
 * causes no second transition; leave entries still precede it in the timeline.
 */
function createDecide(
  { withTicket, entryAgentOf, save }: LockedTickets,
  deps: TicketDeps,
): TicketActions["decide"] {
  return async (scope, id, decision) => {
    const decided = await withTicket(scope, id, async (trx, ticket) => {
      const state = requireNextState(ticket, decision);
      const { eventType, ...update } = decisions[decision];
      const { enterpriseId, conversationId } = ticket;
      const agent = await entryAgentOf(trx, scope, ticket);
      const at = deps.clock.now();
      const after = await save(trx, ticket, { state, at, ...update }, async (saved) => {
        if (ticket.state === "inprogress") {
          await deps.endRoom(trx, { enterpriseId, conversationId });
        }
        return [agentEntry(saved, eventType, agent)];
      });
      if (state === "closed") {
        await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId: id });
      }
      return after;
    });
    deps.wakeRoom(decided.conversationId);
    return decided;
  };
}

function createTake({ withTicket, save }: LockedTickets, deps: TicketDeps): TicketActions["take"] {
  return (scope, id) =>
    withTicket(scope, id, async (trx, ticket) => {
      const state = requireNextState(ticket, "take");
      const { enterpriseId } = ticket;
      const assignee = await findAssignee(trx, deps.directory, scope, ticket);
      if (assignee.id === ticket.agent?.id) {
        return save(trx, ticket, { state }, () => []);
      }
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId: id });
      return save(trx, ticket, { state, agentId: assignee.id }, (saved) => [
        agentEntry(saved, "ticket.assigned", assignee),
      ]);
    });
}

async function findAssignee(
  trx: Trx,
  directory: TicketDirectory,
  scope: Scope,
  ticket: Ticket,
): Promise<Pick<DirectoryUser, "id" | "person">> {
  const caller = await directory.findUser(trx, scope.enterpriseId, scope.userId);
  const assignee = caller?.isAgent === true ? caller : ticket.agent;
  if (assignee === null) {
    throw problem("forbidden", "Only agents can take a ticket without an agent.");
  }
  const { enterpriseId, serviceId } = ticket;
  if (
    assignee.id !== ticket.agent?.id &&
    !(await directory.mayServe(trx, enterpriseId, serviceId, assignee.id))
  ) {
    throw problem("forbidden", "You are not in a group of the ticket's service.");
  }
  return assignee;
}

function createTransfer(
  { withTicket, save }: LockedTickets,
  deps: TicketDeps,
): TicketActions["transfer"] {
  return (scope, id, login) =>
    withTicket(scope, id, async (trx, ticket) => {
      const agent = await findTransferTarget(trx, deps.directory, scope, { ticket, login });
      const state = requireNextState(ticket, "transfer");
      if (agent.id === ticket.agent?.id) {
        return ticket;
      }
      const { enterpriseId } = ticket;
      await deps.ssoTokens.revokeSsoTokens(trx, { enterpriseId, ticketId: id });
      return save(trx, ticket, { state, agentId: agent.id }, (saved) => [
        agentEntry(saved, "ticket.assigned", agent),
      ]);
    });
}

/** Finds the agent, who must be assignable by the caller and work for the service. */
async function findTransferTarget(
  trx: Trx,
  directory: TicketDirectory,
  scope: Scope,
  { ticket, login }: { ticket: Ticket; login: string },
): Promise<DirectoryUser> {
  const { enterpriseId, serviceId } = ticket;
  const agent = requireAgent(await directory.findAgentByLogin(trx, enterpriseId, login), login);
  await requireTransferable(trx, directory, scope, agent);
  if (!(await directory.mayServe(trx, enterpriseId, serviceId, agent.id))) {
    throw agentNotInService(agent);
  }
  return agent;
}

function createTicketChanges(deps: TicketDeps): TicketChanges {
  const { clock, directory, ssoTokens, outbox, wakeRoom } = deps;
  const { withTicket, withUnlockedTicket, entryAgentOf, save } = createLockedTickets(deps);
  const inviter = createInviter(deps);

  /** Moves the reminder with the planned start. */
  const moveReminder = async (trx: Trx, before: Ticket, after: Ticket): Promise<void> => {
    if (after.state === "invited" && after.startTime.getTime() !== before.startTime.getTime()) {
      const { reminderMinutes: minutes } = await directory.findServiceRules(trx, after);
      await inviter.planReminder(trx, after, { minutes, at: after.modifiedAt });
    }
  };

  /** The agent's link ends with the planned end. */
  const moveTokens = async (trx: Trx, before: Ticket, after: Ticket): Promise<void> => {
    const ends = { from: endOfSsoTokens(before), to: endOfSsoTokens(after) };
    if (ends.from.getTime() !== ends.to.getTime()) {
      await ssoTokens.moveSsoTokens(trx, { ...after, ticketId: after.id }, ends);
    }
  };

  return {
    change: (scope, id, body) =>
      withUnlockedTicket(scope, id, async (trx, ticket) => {
        const fields = parseTicketChange(ticket, body);
        const state = requireStateAfter(ticket, fields);
        if (isSameFields(fields, ticket)) {
          return ticket;
        }
        await checkType(trx, directory, ticket, fields.type);
        const agent = await entryAgentOf(trx, scope, ticket);
        const after = await save(trx, ticket, { state, fields }, (saved) =>
          priorityEntries(ticket, saved, agent),
        );
        await moveReminder(trx, ticket, after);
        await moveTokens(trx, ticket, after);
        return after;
      }),

    checkChange: async (scope, id, { type = "" }) => {
      const ticket = requireReach(await findTicket(deps.db, scope, id), id);
      await checkType(deps.db, directory, ticket, type);
    },

    remove: async (scope, id) => {
      const removed = await withTicket(scope, id, async (trx, ticket) => {
        requireTransition(ticket, "remove");
        await markTicketDeleted(trx, ticket, clock.now());
        await ssoTokens.revokeSsoTokens(trx, { enterpriseId: ticket.enterpriseId, ticketId: id });
        await outbox.append(trx, [ticketDeleted(ticket)]);
        return ticket;
      });
      wakeRoom(removed.conversationId);
    },
  };
}

/** A new type must be in the service's list, if there is one. */
async function checkType(
  db: Queryable,
  directory: TicketDirectory,
  ticket: Ticket,
  type: string,
): Promise<void> {
  if (type !== ticket.type && type !== "") {
    requireType(type, await directory.findServiceRules(db, ticket));
  }
}

function priorityEntries(before: Ticket, after: Ticket, agent: EntryAgent): TimelineEntry[] {
  const { priority: oldPriority } = before;
  const { priority: newPriority } = after;
  return oldPriority === newPriority
    ? []
    : [priorityEntry(after, agent, { oldPriority, newPriority })];
}
