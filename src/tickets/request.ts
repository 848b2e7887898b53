/** What a customer asks for at an entry point: a ticket that no agent has yet. */
import { problem } from "../contracts/problems.ts";
import { inTransaction } from "../platform/db/pool.ts";
import { agentHappening, entryOf, ticketCreated } from "./events.ts";
import { parseNewFields } from "./input.ts";
import { createTicketInsert } from "./insert.ts";
import { findOpenButton } from "./button-store.ts";
import type { TicketDeps } from "./ports.ts";
import type { TicketRequestBody } from "./schema.ts";
import { agentPerson, type Ticket } from "./ticket.ts";

/** 404 where nobody can ask for anything at this entry point. */
export type RequestTicket = (buttonId: number, body: TicketRequestBody) => Promise<Ticket>;

export function createTicketRequest(deps: TicketDeps): RequestTicket {
  const { db, clock, timeline, outbox } = deps;
  const insert = createTicketInsert(deps);
  return async (buttonId, body) => {
    const at = clock.now();
    const fields = parseNewFields(body, at);
    const button = await findOpenButton(db, buttonId);
    if (button === undefined) {
      throw problem("not_found", `There is no entry point ${buttonId}.`);
    }
    return inTransaction(db, async (trx) => {
      const ticket = await insert(trx, {
        ...fields,
        ...button,
        agent: null,
        action: "request",
        templateId: null,
        createdBy: null,
        groupId: null,
        at,
      });
      const happening = agentHappening("ticket.new", agentPerson(ticket), "guest");
      const told = await timeline.write(trx, [entryOf(ticket, happening, at)]);
      await outbox.append(trx, [ticketCreated(ticket), ...told]);
      return ticket;
    });
  };
}
