/** Invitations, and requests of customers. */
import { created, ok, publicRoute, route, type PublicRoute, type Route } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import { ticketAnswer, ticketRequestAnswer, presentRequest, presentTicket } from "./present.ts";
import { parseInvitation } from "./input.ts";
import {
  buttonParams,
  inviteTicketSchema,
  ticketParams,
  ticketRequestSchema,
  type InviteTicketBody,
  type TicketParams,
  type TicketRequestBody,
} from "./schema.ts";
import type { Tickets } from "./service.ts";

export type TicketRoutesDeps = Readonly<{
  tickets: Tickets;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

export function ticketInvitationRoutes({ tickets, baseUrl }: TicketRoutesDeps): Route[] {
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
      handle: async ({ params, body }) => {
        const ticket = await tickets.request(params.buttonId, body);
        const answer = presentRequest(ticket, baseUrl);
        return created(answer, answer.requestor_url);
      },
    }),
  ];
}
