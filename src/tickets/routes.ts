import { pageHeaders, parsePage } from "../http/paging.ts";
import {
  created,
  noContent,
  ok,
  route,
  type Answer,
  type Route,
  publicRoute,
  type PublicRoute,
} from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import { parseClientKey } from "../http/idempotency.ts";
import { colleagueRoutes } from "./references.ts";
import type { TicketDecision, Tickets } from "./service.ts";
import {
  createdTicketAnswer,
  ticketAnswer,
  ticketListAnswer,
  presentCreatedTicket,
  presentTicket,
  presentTicketItem,
  ticketRequestAnswer,
  presentRequest,
} from "./present.ts";
import { parseTicketFilter, parseTicketSort } from "./list-store.ts";
import {
  assignTicketSchema,
  changeTicketSchema,
  createTicketSchema,
  listTicketsSchema,
  ticketPage,
  ticketParams,
  type ChangeTicketBody,
  type CreateTicketBody,
  type ListTicketsQuery,
  type TicketParams,
  buttonParams,
  inviteTicketSchema,
  ticketRequestSchema,
  type InviteTicketBody,
  type TicketRequestBody,
  parseInvitation,
} from "./schema.ts";

type Deps = TicketRoutesDeps;

const common = { family: "solution", limit: "api" } as const;

const decisions: Record<TicketDecision, Pick<Route, "summary" | "permission">> = {
  approve: { summary: "Approve a new ticket", permission: "tickets.assign" },
  reject: { summary: "Refuse to handle a ticket", permission: "tickets.assign" },
  complete: { summary: "End the work on a ticket", permission: "tickets.write" },
  cancel: { summary: "Cancel a ticket", permission: "tickets.write" },
  close: { summary: "Close an ended ticket", permission: "tickets.assign" },
};

export type TicketRoutesDeps = Readonly<{
  tickets: Tickets;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

export function ticketRoutes(deps: TicketRoutesDeps): Route[] {
  return [
    createRoute(deps),
    listRoute(deps),
    getRoute(deps),
    changeRoute(deps),
    removeRoute(deps),
    takeRoute(deps),
    transferRoute(deps),
    ...(Object.keys(decisions) as TicketDecision[]).map((decision) =>
      decisionRoute(deps, decision),
    ),
    ...ticketInvitationRoutes(deps),
    ...colleagueRoutes(deps.tickets),
  ];
}

function createRoute({ tickets, baseUrl }: Deps): Route {
  return route<unknown, unknown, CreateTicketBody>({
    ...common,
    method: "POST",
    path: "/tickets",
    operationId: "api.v3.tickets.create",
    summary: "Create a ticket",
    permission: "tickets.write",
    body: createTicketSchema,
    transport: "any",
    isIdempotent: true,
    answer: { status: 201, schema: createdTicketAnswer },
    problems: ["quota_reached"],
    alsoCheck: (request) => tickets.checkNew(scopeOf(request), request.body),
    handle: (request) =>
      tickets.create<Answer>({
        scope: scopeOf(request),
        body: request.body,
        before: async (trx) => request.idempotency?.begin(trx),
        after: async (trx, { ticket, ssoToken }) => {
          const body = presentCreatedTicket(ticket, baseUrl, ssoToken);
          const answer = created(body, `/api/tickets/${ticket.id}`);
          await request.idempotency?.finish(trx, answer);
          return answer;
        },
      }),
  });
}

function listRoute({ tickets, baseUrl }: Deps): Route {
  return route<unknown, ListTicketsQuery>({
    ...common,
    method: "GET",
    path: "/tickets",
    operationId: "api.v3.tickets.list",
    summary: "List tickets",
    permission: "tickets.read",
    query: listTicketsSchema,
    answer: { status: 200, schema: ticketListAnswer },
    handle: async (request) => {
      const page = parsePage(request.query, ticketPage);
      const { total, items } = await tickets.list(
        scopeOf(request),
        parseTicketFilter(request.query),
        { ...parseTicketSort(request.query), ...page },
      );
      const data = items.map((ticket) => presentTicketItem(ticket, baseUrl));
      return ok({ total, data }, pageHeaders(request.url, page, total));
    },
  });
}

function getRoute({ tickets, baseUrl }: Deps): Route {
  return route<TicketParams>({
    ...common,
    method: "GET",
    path: "/tickets/{ticketId}",
    operationId: "api.v3.tickets.get",
    summary: "Read a ticket",
    permission: "tickets.read",
    params: ticketParams,
    answer: { status: 200, schema: ticketAnswer },
    handle: async (request) => {
      const ticket = await tickets.get(scopeOf(request), request.params.ticketId);
      return ok(presentTicket(ticket, baseUrl));
    },
  });
}

function changeRoute({ tickets, baseUrl }: Deps): Route {
  return route<TicketParams, unknown, ChangeTicketBody>({
    ...common,
    method: "PATCH",
    path: "/tickets/{ticketId}",
    operationId: "api.v3.tickets.update",
    summary: "Change fields of a ticket",
    permission: "tickets.write",
    params: ticketParams,
    body: changeTicketSchema,
    answer: { status: 200, schema: ticketAnswer },
    alsoCheck: (request) =>
      tickets.checkChange(scopeOf(request), request.params.ticketId, request.body),
    handle: async (request) => {
      const { ticketId } = request.params;
      const ticket = await tickets.change(scopeOf(request), ticketId, request.body);
      return ok(presentTicket(ticket, baseUrl));
    },
  });
}

function removeRoute({ tickets }: Deps): Route {
  return route<TicketParams>({
    ...common,
    method: "DELETE",
    path: "/tickets/{ticketId}",
    operationId: "api.v3.tickets.delete",
    summary: "Delete a ticket",
    permission: "tickets.write",
    params: ticketParams,
    answer: { status: 204 },
    handle: async (request) => {
      await tickets.remove(scopeOf(request), request.params.ticketId);
      return noContent;
    },
  });
}

function takeRoute({ tickets, baseUrl }: Deps): Route {
  return route<TicketParams>({
    ...common,
    method: "POST",
    path: "/tickets/{ticketId}/take",
    operationId: "api.v3.tickets.take",
    summary: "Take a ticket: assign it to the calling agent",
    permission: "tickets.take",
    params: ticketParams,
    answer: { status: 200, schema: ticketAnswer },
    handle: async (request) => {
      const ticket = await tickets.take(scopeOf(request), request.params.ticketId);
      return ok(presentTicket(ticket, baseUrl));
    },
  });
}

function transferRoute({ tickets, baseUrl }: Deps): Route {
  return route<TicketParams, unknown, { agent: string }>({
    ...common,
    method: "PUT",
    path: "/tickets/{ticketId}/agent",
    operationId: "api.v3.tickets.transfer",
    summary: "Assign a ticket to another agent",
    permission: "tickets.transfer",
    params: ticketParams,
    body: assignTicketSchema,
    answer: { status: 200, schema: ticketAnswer },
    handle: async (request) => {
      const { params, body } = request;
      const ticket = await tickets.transfer(scopeOf(request), params.ticketId, body.agent);
      return ok(presentTicket(ticket, baseUrl));
    },
  });
}

function decisionRoute({ tickets, baseUrl }: Deps, decision: TicketDecision): Route {
  return route<TicketParams>({
    ...common,
    ...decisions[decision],
    method: "POST",
    path: `/tickets/{ticketId}/${decision}`,
    operationId: `api.v3.tickets.${decision}`,
    params: ticketParams,
    answer: { status: 200, schema: ticketAnswer },
    handle: async (request) => {
      const ticket = await tickets.decide(scopeOf(request), request.params.ticketId, decision);
      return ok(presentTicket(ticket, baseUrl));
    },
  });
}

function ticketInvitationRoutes({ tickets, baseUrl }: TicketRoutesDeps): Route[] {
  return [
    route<TicketParams, unknown, InviteTicketBody>({
      family: "solution",
      limit: "api",
      method: "POST",
      path: "/tickets/{ticketId}/invitations",
      operationId: "api.v3.tickets.invite",
      summary: "Invite the customer by mail and SMS, or by the given `channels`",
      permission: "tickets.write",
      params: ticketParams,
      body: inviteTicketSchema,
      transport: "any",
      answer: { status: 200, schema: ticketAnswer },
      problems: ["quota_reached"],
      handle: async (request) => {
        const choice = parseInvitation(request.body);
        const { ticketId } = request.params;
        const ticket = await tickets.invite(scopeOf(request), ticketId, choice);
        return ok(presentTicket(ticket, baseUrl));
      },
    }),
  ];
}

export function ticketRequestRoutes({ tickets, baseUrl }: TicketRoutesDeps): PublicRoute[] {
  return [
    publicRoute<TicketRequestBody, { buttonId: number }>({
      limit: "guest",
      method: "POST",
      path: "/buttons/{buttonId}/requests",
      operationId: "api.v3.buttons.request",
      summary: "Request assistance as a customer, at an entry point",
      params: buttonParams,
      body: ticketRequestSchema,
      answer: { status: 201, schema: ticketRequestAnswer },
      handle: async ({ params, body, header }) => {
        const clientKey = parseClientKey(header("idempotency-key"));
        const ticket = await tickets.request(params.buttonId, body, clientKey);
        const answer = presentRequest(ticket, baseUrl);
        return created(answer, answer.requestor_url);
      },
    }),
  ];
}
