/**
 * The colleagues whom the holder of a ticket can choose: as experts of its call, or as its next
 * agent. It shows names and logins only, so that agents need no permission to read users.
 */
import type { TicketColleague } from "../contracts/directory.ts";
import type { Scope } from "../contracts/permissions.ts";
import { ok, route, type Route } from "../http/route.ts";
import { scopeOf } from "../http/authorize.ts";
import { exactObject, flag, integer, listOf, text } from "../http/schema.ts";
import type { TicketDeps } from "./ports.ts";
import { mayAssign } from "./references.ts";
import { ticketParams, type TicketParams } from "./schema.ts";
import { findTicket, requireReach } from "./store.ts";

type Choice = Pick<TicketColleague, "id" | "login" | "name"> & Readonly<{ mayTake: boolean }>;

/** Throws 404 if the enterprise has no such ticket, 403 if it is out of reach. */
export type ListColleagues = (scope: Scope, ticketId: number) => Promise<Choice[]>;

export function createListColleagues({
  db,
  directory,
}: Pick<TicketDeps, "db" | "directory">): ListColleagues {
  return async (scope, ticketId) => {
    const ticket = requireReach(await findTicket(db, scope, ticketId), ticketId);
    const colleagues = await directory.listColleagues(db, scope, ticket.serviceId);
    return colleagues
      .filter(({ id }) => id !== ticket.agent?.id)
      .map((colleague) => ({
        ...colleague,
        mayTake:
          colleague.isAgentOfService && (scope.reach === "own" || mayAssign(scope, colleague)),
      }));
  };
}

export function colleagueRoutes({
  listColleagues,
}: Readonly<{ listColleagues: ListColleagues }>): Route[] {
  return [
    route<TicketParams>({
      family: "solution",
      limit: "api",
      method: "GET",
      path: "/tickets/{ticketId}/colleagues",
      operationId: "api.v3.tickets.colleagues",
      summary: "List the colleagues who can join the call of a ticket or take it over",
      permission: "tickets.write",
      params: ticketParams,
      answer: {
        status: 200,
        schema: listOf(
          "TicketColleagueList",
          exactObject("TicketColleague", { id: integer, login: text, name: text, may_take: flag }),
        ),
      },
      handle: async (request) => {
        const found = await listColleagues(scopeOf(request), request.params.ticketId);
        const data = found.map(({ id, login, name, mayTake }) => ({
          ...{ id, login, name, may_take: mayTake },
        }));
        return ok({ total: data.length, data });
      },
    }),
  ];
}
