/** Changes of a ticket by its customer, by uploads and by messages. `lock` locks the row. */
import {
  type CustomerTickets,
  type EntryPoint,
  type RecordCustomerInput,
  type TicketLink,
  transition,
} from "../contracts/tickets.ts";
import type { TimelineEvent } from "../contracts/session-events.ts";
import { violatedUniqueIndex } from "../platform/db/errors.ts";
import { type Queryable, type Trx, rowsOf } from "../platform/db/pool.ts";
import { inImplicitTransaction } from "../platform/db/transaction.ts";
import { toError } from "../platform/errors.ts";
import {
  toTimelineEntry,
  requestorEvent,
  agentEvent,
  ticketCreated,
  requireNextState,
  createTicketWriter,
} from "./writer.ts";
import {
  entryAgentOf,
  isOver,
  linkEndOf,
  type Ticket,
  type TicketDeps,
  type WriterDeps,
} from "./model.ts";
import { findTicketOf, lockTicketOf, ticketColumns, type TicketRow, toTicket } from "./store.ts";
import { problem } from "../contracts/problems.ts";
import { parseNewFields, type TicketRequestBody } from "./schema.ts";
import { createTicketInsert, reserveTicketIds } from "./create.ts";

export type CustomerActions = CustomerTickets<Queryable, Trx, Ticket> & {
  recordCustomerInput: RecordCustomerInput<Trx>;
};

export function createCustomerActions(deps: WriterDeps): CustomerActions {
  const { save, writeTimeline } = createTicketWriter(deps);
  const entriesOf = (ticket: Ticket, timelineEvents: readonly TimelineEvent[], at: Date) =>
    timelineEvents.map((event) => toTimelineEntry(ticket, event, at));
  return {
    findBySecret: (db, secret) => findTicketByLink(db, { secret }),
    findByCode: (db, informationCode) => findTicketByLink(db, { informationCode }),
    wasDeleted: isDeletedLink,
    find: findTicketOf,
    lock: lockTicketOf,
    isOver,
    linkEndOf,
    decline: (trx, ticket, at) => {
      const state = requireNextState(ticket, "decline");
      const declined = requestorEvent(ticket, "ticket.invitationDeclined", "guest");
      return save(trx, ticket, { state, at }, () => entriesOf(ticket, [declined], at));
    },
    setPosition: (trx, ticket, { geoloc, at, entries }) =>
      save(trx, ticket, { state: ticket.state, geoloc, at }, () => entriesOf(ticket, entries, at)),
    recordCustomerInput: async (trx, ref, at, entries) => {
      const ticket = await lockTicketOf(trx, ref);
      if (ticket === undefined) {
        return;
      }
      const { isAllowed, to } = transition(ticket.state, "change");
      if (isAllowed && to !== ticket.state) {
        await save(trx, ticket, { state: "updated", at }, () => entriesOf(ticket, entries, at));
      } else {
        await writeTimeline(trx, ticket, entries, at);
      }
    },
    writeTimeline,
    recordUserAgent: (trx, { id, enterpriseId }, userAgent) =>
      updateUserAgent(trx, { id, enterpriseId, userAgent: userAgent.slice(0, 512) }),
  };
}

/**
 * Throws 404 if the entry point accepts no requests. A repeated request, which has the same
 * `clientKey`, returns the ticket of the first.
 */
export type RequestTicket = (
  buttonId: number,
  body: TicketRequestBody,
  clientKey?: string,
) => Promise<Ticket>;

export function createTicketRequest(deps: TicketDeps): RequestTicket {
  const { db, clock, timeline, outbox } = deps;
  const insert = createTicketInsert(deps);
  const request: RequestTicket = async (buttonId, body, clientKey) => {
    const at = clock.now();
    const fields = parseNewFields(body, at);
    const found = await findActiveButton(db, buttonId);
    if (found === undefined) {
      throw problem("not_found", `Entry point ${buttonId} was not found.`);
    }
    const ids = await reserveTicketIds(db, 1);
    const wanted = {
      enterpriseId: found.enterprise_id,
      serviceId: found.service_id,
      serviceKey: found.service_key,
      buttonId,
      agent: null,
      action: "request",
      templateId: null,
      createdBy: null,
      groupId: null,
      clientKey,
      at,
      fields,
    } as const;
    return inImplicitTransaction(db, async (trx) => {
      const ticket = await insert(trx, wanted, ids);
      const event = agentEvent("ticket.new", entryAgentOf(ticket), "guest");
      const entries = [toTimelineEntry(ticket, event, at)];
      const entryEvents = await timeline.write(trx, entries, ids.entries);
      await outbox.append(trx, [ticketCreated(ticket), ...entryEvents]);
      return ticket;
    });
  };
  return async (buttonId, body, clientKey) => {
    if (clientKey === undefined) {
      return request(buttonId, body);
    }
    const earlier = await findRequested(db, buttonId, clientKey);
    return (
      earlier ??
      request(buttonId, body, clientKey).catch(async (thrown: unknown) => {
        const isRepeated = violatedUniqueIndex(toError(thrown)) === "tickets_client_key";
        const first = isRepeated ? await findRequested(db, buttonId, clientKey) : undefined;
        if (first === undefined) {
          throw thrown;
        }
        return first;
      })
    );
  };
}

/** The ticket of an earlier request with this key, even if it was deleted since. */
async function findRequested(
  db: Queryable,
  buttonId: number,
  clientKey: string,
): Promise<Ticket | undefined> {
  const [row] = await rowsOf<TicketRow>(
    db,
    `SELECT ${ticketColumns} FROM tickets t WHERE t.button_id = ? AND t.client_key = ?`,
    [buttonId, clientKey],
  );
  return row && toTicket(row);
}

/** For the page of the entry point; undefined if it accepts no requests. */
export async function findEntryPoint(
  db: Queryable,
  buttonId: number,
): Promise<EntryPoint | undefined> {
  const found = await findActiveButton(db, buttonId);
  return (
    found && {
      service_name: found.service_name,
      enterprise_name: found.enterprise_name,
      language: found.language,
    }
  );
}

type ActiveButtonRow = EntryPoint & {
  enterprise_id: number;
  service_id: number;
  service_key: string;
};

/** An active entry point of an active service and enterprise. */
async function findActiveButton(
  db: Queryable,
  buttonId: number,
): Promise<ActiveButtonRow | undefined> {
  const [row] = await rowsOf<ActiveButtonRow>(
    db,
    `SELECT s.enterprise_id, s.id AS service_id, s.service_key, s.name AS service_name,
        e.name AS enterprise_name, coalesce(s.language, e.language) AS language
      FROM buttons b
      JOIN services s ON s.enterprise_id = b.enterprise_id AND s.id = b.service_id
      JOIN enterprises e ON e.id = b.enterprise_id
      WHERE b.id = ? AND b.is_active AND s.is_active AND s.deleted_at IS NULL
        AND s.kind = 'ticket' AND e.solution_enabled`,
    [buttonId],
  );
  return row;
}

/** The ticket of a link, in any enterprise. Deleted tickets are not found. */
async function findTicketByLink(db: Queryable, link: TicketLink): Promise<Ticket | undefined> {
  const { sql, binding } = conditionOf(link);
  const [row] = await rowsOf<TicketRow>(
    db,
    `SELECT ${ticketColumns} FROM tickets t WHERE ${sql} AND t.deleted_at IS NULL`,
    [binding],
  );
  return row && toTicket(row);
}

/** Whether the link belongs to a deleted ticket that is not purged yet. */
async function isDeletedLink(db: Queryable, link: TicketLink): Promise<boolean> {
  const { sql, binding } = conditionOf(link);
  const rows = await rowsOf(
    db,
    `SELECT 1 FROM tickets t WHERE ${sql} AND t.deleted_at IS NOT NULL`,
    [binding],
  );
  return rows.length > 0;
}

function conditionOf(link: TicketLink): { sql: string; binding: string } {
  return "secret" in link
    ? { sql: "t.requestor_secret = ?", binding: link.secret }
    : { sql: "t.information_code = ?", binding: link.informationCode };
}

/** Stores the user agent of a locked ticket's customer. Does not count as a change. */
async function updateUserAgent(
  trx: Trx,
  { id, enterpriseId, userAgent }: Pick<Ticket, "id" | "enterpriseId"> & { userAgent: string },
): Promise<void> {
  await trx("tickets").where({ id, enterprise_id: enterpriseId }).update({ user_agent: userAgent });
}
