import type { TicketFields } from "./fields.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Person, TimelineEntry } from "../contracts/session-events.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { priorityEntry, ticketDeleted } from "./events.ts";
import { parseTicketChange } from "./input.ts";
import { createInviter } from "./invite.ts";
import { createLockedTickets, requireTransition, requireNextState } from "./writer.ts";
import type { TicketDirectory, TicketDeps } from "./ports.ts";
import type { ChangeTicketBody } from "./schema.ts";
import { requireReach, requireType } from "./reach.ts";
import { findTicket, markTicketDeleted } from "./store.ts";
import type { Ticket } from "./model.ts";

export type TicketChanges = {
  /** Sets the fields in the body. Without a difference nothing is written and no event is sent. */
  change(scope: Scope, id: number, body: ChangeTicketBody): Promise<Ticket>;
  /** 400 if the body names something unknown. Changes nothing. */
  checkChange(scope: Scope, id: number, body: ChangeTicketBody): Promise<void>;
  /** Soft delete: the ticket and its links are no longer found. */
  remove(scope: Scope, id: number): Promise<void>;
};

export function createTicketChanges(deps: TicketDeps): TicketChanges {
  const { clock, directory, ssoTokens, outbox } = deps;
  const { withTicket, personOf, save } = createLockedTickets(deps);
  const inviter = createInviter(deps);

  /** Moves the reminder with the planned start. */
  const moveReminder = async (trx: Trx, before: Ticket, after: Ticket): Promise<void> => {
    if (after.state === "invited" && after.startTime.getTime() !== before.startTime.getTime()) {
      const { enterpriseId, serviceKey, modifiedAt: at } = after;
      const service = await directory.findServiceForTickets(trx, enterpriseId, serviceKey);
      await inviter.planReminder(trx, after, { minutes: service?.reminderMinutes ?? null, at });
    }
  };

  return {
    change: (scope, id, body) =>
      withTicket(scope, id, async (trx, ticket) => {
        const fields = parseTicketChange(ticket, body);
        const state = requireNextState(ticket, "change");
        if (isSame(fields, fieldsOf(ticket))) {
          return ticket;
        }
        await checkType(trx, directory, ticket, fields.type);
        const agent = await personOf(trx, scope, ticket);
        const after = await save(trx, ticket, { state, fields }, (saved) =>
          priorityEntries(ticket, saved, agent),
        );
        await moveReminder(trx, ticket, after);
        return after;
      }),

    checkChange: async (scope, id, { type = "" }) => {
      const ticket = requireReach(await findTicket(deps.db, scope, id), id);
      await checkType(deps.db, directory, ticket, type);
    },

    remove: (scope, id) =>
      withTicket(scope, id, async (trx, ticket) => {
        requireTransition(ticket, "remove");
        await markTicketDeleted(trx, ticket, clock.now());
        await ssoTokens.revokeSsoTokens(trx, { enterpriseId: ticket.enterpriseId, ticketId: id });
        await outbox.append(trx, [ticketDeleted(ticket)]);
      }),
  };
}

function isSame(a: TicketFields, b: TicketFields): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function fieldsOf(ticket: Ticket): TicketFields {
  return parseTicketChange(ticket, {});
}

/** A new type must be in the service's list, if there is one. */
async function checkType(
  db: Queryable,
  directory: TicketDirectory,
  { type: oldType, enterpriseId, serviceKey }: Ticket,
  type: string,
): Promise<void> {
  if (type === oldType || type === "") {
    return;
  }
  const service = await directory.findServiceForTickets(db, enterpriseId, serviceKey);
  requireType(type, { ticketTypes: service?.ticketTypes ?? [] });
}

function priorityEntries(before: Ticket, after: Ticket, agent: Person): TimelineEntry[] {
  const { priority: oldPriority } = before;
  const { priority: newPriority } = after;
  return oldPriority === newPriority
    ? []
    : [priorityEntry(after, agent, { oldPriority, newPriority })];
}
