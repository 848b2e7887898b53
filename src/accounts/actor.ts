import type { AuditEntry } from "../contracts/audit.ts";
import type { Role } from "../contracts/permissions.ts";
import type { ApiRequest } from "../http/route.ts";

/** Who makes an administrative change. */
export type Actor = Readonly<{
  enterpriseId: number;
  userId: number;
  login: string;
  role: Role;
  requestId: string;
}>;

export function actorOf({ caller, requestId }: Pick<ApiRequest, "caller" | "requestId">): Actor {
  return {
    enterpriseId: caller.enterpriseId,
    userId: caller.userId,
    login: caller.login,
    role: caller.role,
    requestId,
  };
}

type Who = Pick<AuditEntry, "enterpriseId" | "userId" | "login" | "requestId">;

/** The part of an audit entry that says who did it, in the enterprise that it was done to. */
export function entryBy(actor: Actor, enterpriseId = actor.enterpriseId): Who {
  return {
    enterpriseId,
    userId: actor.userId,
    login: actor.login,
    requestId: actor.requestId,
  };
}
