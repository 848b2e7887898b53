import type { Scope } from "../contracts/permissions.ts";
import { createSearchedList, type SearchedList } from "../http/searched-list.ts";
import { createTicketActions, type TicketActions } from "./actions.ts";
import { createTicketChanges, type TicketChanges } from "./change.ts";
import {
  createNewTicketCheck,
  createTicketCreator,
  type CheckNewTicket,
  type CreateTicket,
} from "./create.ts";
import type { TicketFilter, TicketSort } from "./filter.ts";
import { countTickets, listTickets } from "./list-store.ts";
import { createTicketInvitation, type InviteTicket } from "./invite.ts";
import type { TicketDeps } from "./ports.ts";
import { requireReach } from "./reach.ts";
import { createTicketRequest, type RequestTicket } from "./request.ts";
import { findTicket } from "./store.ts";
import type { Ticket } from "./ticket.ts";

export type Tickets = TicketActions &
  TicketChanges & {
    create: CreateTicket;
    checkNew: CheckNewTicket;
    /** Asks the customer to come, again where they were asked before. */
    invite: InviteTicket;
    /** A customer's own request at an entry point. */
    request: RequestTicket;
    /** The ticket; 404 where the enterprise has none of that id, 403 where it is out of reach. */
    get(scope: Scope, id: number): Promise<Ticket>;
    list: SearchedList<TicketFilter, TicketSort, Ticket>;
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
    list: createSearchedList(
      {
        list: (scope, filter, page) => listTickets(deps.db, scope, filter, page),
        count: (scope, filter) => countTickets(deps.db, scope, filter),
      },
      { perEnterprise: 3, inAll: 5 },
    ),
  };
}
