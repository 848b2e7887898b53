/**
 * A browser session that an `sso_url` opened reaches one ticket of its user, and nothing else of the
 * API. The list names what the agent's page of a room needs; every other operation is refused.
 */
import type { Permission } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { ApiRequest, Caller, Route } from "./route.ts";

/** What such a session may do with its ticket, if the role of its user may. */
const ticketPermissions: ReadonlySet<Permission> = new Set<Permission>([
  ...(["tickets.read", "tickets.write", "tickets.take", "tickets.transfer"] as const),
  "tickets.events.read",
  ...(["media.read", "media.write", "conversations.read", "conversations.write"] as const),
]);

export function isTicketPermission(permission: Permission): boolean {
  return ticketPermissions.has(permission);
}

type Lookups = Readonly<{
  /** The ticket of a file; undefined if there is no such file, or none of a ticket. */
  findTicketOfMedia?: (enterpriseId: number, mediaId: number) => Promise<number | undefined>;
}>;

type SessionRequest = Pick<ApiRequest, "caller" | "params" | "query" | "body">;

/** Before anything is read. Throws if such a session cannot use the operation at all. */
export function requireTicketRoute(caller: Caller, route: Pick<Route, "method" | "path">): void {
  if (caller.onlyTicketId !== undefined && findRule(route) === undefined) {
    throw outOfReach(caller.onlyTicketId);
  }
}

/** Throws unless the request is about the ticket of the session. */
export async function requireOwnTicket(
  lookups: Lookups,
  route: Pick<Route, "method" | "path">,
  input: SessionRequest,
): Promise<void> {
  const { onlyTicketId } = input.caller;
  if (onlyTicketId === undefined) {
    return;
  }
  const found = await findRule(route)?.(input, lookups);
  if (found !== true && found !== onlyTicketId) {
    throw outOfReach(onlyTicketId);
  }
}

/** Out: the ticket that the request is about; true for what is about the session itself. */
type Rule = (input: SessionRequest, lookups: Lookups) => unknown;

const rules: Readonly<Record<string, Rule>> = {
  "GET /browser-session": () => true,
  "GET /medias": ({ query }) => ticketIdIn(query),
  "POST /medias": ({ body }) => ticketIdIn(body),
  "GET /conversations": ({ query }) => ticketIdIn(query),
  "POST /medias/{mediaId}/ocr": ({ caller, params }, { findTicketOfMedia }) =>
    findTicketOfMedia?.(caller.enterpriseId, (params as { mediaId: number }).mediaId),
};

function findRule({ method, path }: Pick<Route, "method" | "path">): Rule | undefined {
  if (path === "/tickets/{ticketId}" || path.startsWith("/tickets/{ticketId}/")) {
    return ({ params }) => ticketIdIn(params);
  }
  return rules[`${method} ${path}`];
}

function ticketIdIn(values: unknown): unknown {
  return (values as { ticketId?: unknown } | undefined)?.ticketId;
}

function outOfReach(ticketId: number) {
  return problem("forbidden", `This session is limited to ticket ${ticketId}.`);
}
