/** How the messages of a ticket fare, for whoever may read the ticket. */
import { pageHeaders, parsePage } from "../http/paging.ts";
import { ok, route, type Route } from "../http/route.ts";
import type { Db } from "../platform/db/pool.ts";
import type { Scope } from "./ports.ts";
import { presentTicketMessage } from "./present.ts";
import {
  ticketMessageListSchema,
  ticketMessagesQuery,
  ticketParams,
  type TicketMessagesQuery,
  type TicketParams,
} from "./schema.ts";
import { listTicketMessages } from "./store.ts";

type TicketMessageRoutesDeps = Readonly<{
  db: Db;
  /** Resolves for a ticket that the scope reaches; 404 or 403 otherwise. */
  requireTicket: (scope: Scope, ticketId: number) => Promise<unknown>;
}>;

export const ticketMessageRoutes = ({ db, requireTicket }: TicketMessageRoutesDeps): Route[] => [
  route<TicketParams, TicketMessagesQuery>({
    family: "solution",
    limit: "api",
    method: "GET",
    path: "/tickets/{ticketId}/messages",
    operationId: "api.v3.tickets.messages",
    summary: "The SMS and mails of a ticket, and how they fare",
    permission: "tickets.read",
    params: ticketParams,
    query: ticketMessagesQuery,
    answer: { status: 200, schema: ticketMessageListSchema },
    handle: async ({ caller, reach, params: { ticketId }, query, url }) => {
      const { enterpriseId, userId, groupIds } = caller;
      const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
      await requireTicket({ enterpriseId, userId, groupIds, reach }, ticketId);
      const { order = "desc" } = query;
      const owner = { enterpriseId, ticketId };
      const { total, messages } = await listTicketMessages(db, owner, { ...page, order });
      return ok({ total, data: messages.map(presentTicketMessage) }, pageHeaders(url, page, total));
    },
  }),
];
