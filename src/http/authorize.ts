import type { AuditEntry } from "../contracts/audit.ts";
import {
  grantsOfRole,
  type Permission,
  type Reach,
  type Role,
  type Scope,
} from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { ApiRequest, Caller, Guest, GuestRoute, Route } from "./route.ts";

/** The owner of a token, and whether the enterprise has the solution. */
export type Authenticated = Readonly<{ caller: Caller; hasSolution: boolean }>;

/** A user of an enterprise, or the platform itself (`null`). */
export type ChangeAuthor = { enterpriseId: number; userId: number | null };

/** A user who makes a change. */
export type Actor = ChangeAuthor & Readonly<{ login: string; requestId?: string }>;

/** Checks the family, then the role. Returns the caller's reach on this route. */
export function authorize(
  authenticated: Authenticated,
  route: Pick<Route, "permission" | "family">,
): Reach {
  checkFamily(authenticated, route.family);
  if (route.permission === "authenticated") {
    return "own";
  }
  const { caller } = authenticated;
  const reach = reachOfCaller(caller, route.permission);
  if (reach === undefined) {
    throw problem("forbidden", `The role ${caller.role} lacks this permission.`, {
      details: `Permission ${route.permission}`,
    });
  }
  return reach;
}

function checkFamily({ caller, hasSolution }: Authenticated, family: Route["family"]): void {
  const refusal = family === "solution" ? solutionRefusal({ ...caller, hasSolution }) : undefined;
  if (refusal !== undefined) {
    throw problem("feature_off", refusal);
  }
}

/** Why the operations of the solution are refused; undefined if they are not. */
function solutionRefusal({
  accountType,
  hasSolution,
}: Pick<PermittedUser, "accountType" | "hasSolution">): string | undefined {
  if (accountType === "platform") {
    return "This account has no access to the operations of the solution.";
  }
  return hasSolution ? undefined : "The enterprise has no subscription to the solution.";
}

/** How far the caller's permission reaches: in a session of `sso_url`s, at most to own tickets. */
export function reachOfCaller(
  { role, onlyTicketIds }: Caller,
  permission: Permission,
): Reach | undefined {
  const reach = reachOf(role, permission);
  if (onlyTicketIds === undefined || reach === undefined) {
    return reach;
  }
  return isTicketPermission(permission) ? "own" : undefined;
}

/** The reach of a permission for a role; undefined if the role lacks it. */
export function reachOf(role: Role, permission: Permission): Reach | undefined {
  return grantsOfRole[role][permission];
}

/** A user for whom work is done outside of a request, such as the one of MLLP. */
export type PermittedUser = Pick<Caller, "enterpriseId" | "userId" | "role" | "accountType"> &
  Pick<Authenticated, "hasSolution">;

/** Whether the user may use an operation of the solution, as `authorize` decides for a request. */
export function isAuthorized(user: PermittedUser, permission: Permission): boolean {
  return solutionRefusal(user) === undefined && reachOf(user.role, permission) !== undefined;
}

/** Throws unless the participant's role may call this operation of the guests' API. */
export function authorizeGuest({ role }: Guest, { roles }: Pick<GuestRoute, "roles">): void {
  if (!roles.includes(role)) {
    throw problem("forbidden", `The role ${role} lacks this permission in this room.`, {
      details: `Role ${role}`,
    });
  }
}

/** The token of an `Authorization: Bearer` header. The scheme is case-insensitive. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +([^\s]+) *$/iu.exec(header ?? "")?.[1];
}

export function noToken() {
  return problem("no_token", "An access token is required: send Authorization: Bearer <token>.", {
    headers: { "WWW-Authenticate": 'Bearer realm="api"' },
  });
}

export function badToken() {
  return problem("bad_token", "The access token is unknown, expired or revoked.", {
    headers: { "WWW-Authenticate": 'Bearer realm="api", error="invalid_token"' },
  });
}

/** The scope of an operation: its caller and the reach of the permission. */
export function scopeOf({ caller, reach }: Pick<ApiRequest, "caller" | "reach">): Scope {
  return {
    enterpriseId: caller.enterpriseId,
    userId: caller.userId,
    groupIds: caller.groupIds,
    reach,
  };
}

export function actorOf({ caller, requestId }: Pick<ApiRequest, "caller" | "requestId">): Actor {
  return { ...authorOf(caller), login: caller.login, requestId };
}

export function authorOf({ enterpriseId, userId }: Caller): ChangeAuthor {
  return { enterpriseId, userId };
}

/** The audit entry for a change of a webhook. */
export function auditEntryOf(
  actor: Actor,
  objectId: AuditEntry["objectId"],
  { action, changes }: Pick<AuditEntry, "action" | "changes">,
): AuditEntry {
  return {
    enterpriseId: actor.enterpriseId,
    userId: actor.userId,
    login: actor.login,
    ...(actor.requestId === undefined ? {} : { requestId: actor.requestId }),
    action,
    object: "webhook",
    objectId,
    changes,
  };
}

/**
 * A browser session that an `sso_url` opened reaches the tickets of the `sso_url`s that its browser
 * opened, and nothing else of the API. The list names what the agent's page of a room needs; every
 * other operation is refused.
 *
 * These are the permissions that it has, if the role of its user has them.
 */
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
  if (caller.onlyTicketIds !== undefined && findRule(route) === undefined) {
    throw outOfReach(caller.onlyTicketIds);
  }
}

/** Throws unless the request is about a ticket of the session. */
export async function requireOwnTicket(
  lookups: Lookups,
  route: Pick<Route, "method" | "path">,
  input: SessionRequest,
): Promise<void> {
  const { onlyTicketIds } = input.caller;
  if (onlyTicketIds === undefined) {
    return;
  }
  const found = await findRule(route)?.(input, lookups);
  if (found !== true && !onlyTicketIds.some((id) => id === found)) {
    throw outOfReach(onlyTicketIds);
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

function outOfReach(ticketIds: readonly number[]) {
  const noun = ticketIds.length === 1 ? "ticket" : "tickets";
  return problem("forbidden", `This session is limited to ${noun} ${ticketIds.join(", ")}.`);
}
