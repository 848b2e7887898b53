/** How the messages of a ticket fare, for whoever may read the ticket. */
import type { Scope } from "../contracts/permissions.ts";
import { pageHeaders, parsePage } from "../http/paging.ts";
import { orderedPageSchema, type OrderedPageQuery } from "../http/request-schema.ts";
import { ok, route, type Route } from "../http/route.ts";
import { scopeOf } from "../http/scope.ts";
import type { Db } from "../platform/db/pool.ts";
import { presentTicketMessage } from "./present.ts";
import { ticketMessageListSchema, ticketParams, type TicketParams } from "./schema.ts";
import { listTicketMessages } from "./store.ts";

type TicketMessageRoutesDeps = Readonly<{
  db: Db;
  /** Resolves for a ticket that the scope reaches; 404 or 403 otherwise. */
  requireTicket: (scope: Scope, ticketId: number) => Promise<unknown>;
}>;

export function ticketMessageRoutes({ db, requireTicket }: TicketMessageRoutesDeps): Route[] {
  return [
    route<TicketParams, OrderedPageQuery>({
      family: "solution",
      limit: "api",
      method: "GET",
      path: "/tickets/{ticketId}/messages",
      operationId: "api.v3.tickets.messages",
      summary: "The SMS and mails of a ticket, and how they fare",
      permission: "tickets.read",
      params: ticketParams,
      query: orderedPageSchema,
      answer: { status: 200, schema: ticketMessageListSchema },
      handle: async (request) => {
        const { query, url } = request;
        const { ticketId } = request.params;
        const page = parsePage(query, { defaultLimit: 10, maxLimit: 100 });
        const scope = scopeOf(request);
        await requireTicket(scope, ticketId);
        const { order = "desc" } = query;
        const owner = { enterpriseId: scope.enterpriseId, ticketId };
        const { total, messages } = await listTicketMessages(db, owner, { ...page, order });
        return ok(
          { total, data: messages.map(presentTicketMessage) },
          pageHeaders(url, page, total),
        );
      },
    }),
  ];
}
