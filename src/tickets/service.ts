import { createTurnstile } from "../http/turnstile.ts";
import { createTicketActions, type TicketActions } from "./actions.ts";
import { createTicketChanges, type TicketChanges } from "./change.ts";
import { createTicketCreator, type CreateTicket } from "./create.ts";
import type { TicketFilter, TicketSort } from "./filter.ts";
import { countTickets, listTickets } from "./list-store.ts";
import { createTicketInvitation, type InviteTicket } from "./invite.ts";
import type { TicketDeps } from "./ports.ts";
import { requireReach } from "./reach.ts";
import { createTicketRequest, type RequestTicket } from "./request.ts";
import { findTicket } from "./store.ts";
import type { Scope, Ticket } from "./ticket.ts";

export type Tickets = TicketActions &
  TicketChanges & {
    create: CreateTicket;
    /** Asks the customer to come, again where they were asked before. */
    invite: InviteTicket;
    /** A customer's own request at an entry point. */
    request: RequestTicket;
    /** The ticket; 404 where the enterprise has none of that id, 403 where it is out of reach. */
    get(scope: Scope, id: number): Promise<Ticket>;
    /**
     * One page of the tickets within reach that match, and how many match in all. Throws
     * `rate_limited` where too many searches are under way.
     */
    list(
      scope: Scope,
      filter: TicketFilter,
      page: TicketSort & { limit: number; offset: number },
    ): Promise<{ total: number; tickets: Ticket[] }>;
  };

const createList = ({ db }: TicketDeps): Tickets["list"] => {
  // A search reads many rows: a few at once must not leave the others without a connection.
  const ask = createTurnstile(
    { perEnterprise: 3, inAll: 5 },
    "Too many searches at once. Wait for the answer to one.",
  );
  const look: Tickets["list"] = async (scope, filter, page) => {
    const tickets = await listTickets(db, scope, filter, page);
    const isLastPage = tickets.length < page.limit && (tickets.length > 0 || page.offset === 0);
    const total = isLastPage ? page.offset + tickets.length : await countTickets(db, scope, filter);
    return { total, tickets };
  };
  return (scope, filter, page) =>
    filter.search === undefined
      ? look(scope, filter, page)
      : ask(scope.enterpriseId, () => look(scope, filter, page));
};

export const createTickets = (deps: TicketDeps): Tickets => ({
  ...createTicketActions(deps),
  ...createTicketChanges(deps),
  create: createTicketCreator(deps),
  invite: createTicketInvitation(deps),
  request: createTicketRequest(deps),
  get: async (scope, id) => requireReach(await findTicket(deps.db, scope, id), id),
  list: createList(deps),
});
