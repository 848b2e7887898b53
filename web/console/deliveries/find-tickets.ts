import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";

export type FoundTicket = Readonly<{
  id: number;
  reference: string | null;
  state: string;
  created: string;
  modified: string;
}>;

/** Tickets that match a number or a reference; the ticket with that number comes first. */
export async function findTickets(text: string): Promise<FoundTicket[]> {
  const path = { ticketId: Number(text) };
  const [byId, byReference] = await Promise.all([
    isNumber(text)
      ? orNone(call(api.GET("/api/tickets/{ticketId}", { params: { path } })))
      : undefined,
    orNone(call(api.GET("/api/tickets", { params: { query: { reference: text, limit: 20 } } }))),
  ]);
  const found = [...(byId === undefined ? [] : [byId]), ...(byReference?.data ?? [])];
  return [...new Map(found.map((ticket) => [ticket.id, ticket])).values()].map((ticket) => ({
    id: ticket.id,
    reference: ticket.reference,
    state: ticket.state,
    created: ticket.created,
    modified: ticket.modified,
  }));
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/u.test(text);
}

/** undefined if there is no such ticket, or the user may not see it. */
async function orNone<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    if ([400, 403, 404].includes(asProblem(thrown).status)) {
      return undefined;
    }
    throw thrown;
  }
}
