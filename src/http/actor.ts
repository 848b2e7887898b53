/** Who changes something, for the audit log. */
import type { AuditEntry } from "../contracts/audit.ts";
import type { ApiRequest, Caller } from "./route.ts";

/** A user of an enterprise, or the platform itself (`null`). */
export type ChangeAuthor = { enterpriseId: number; userId: number | null };

/** A user who makes a change. */
export type Actor = ChangeAuthor & Readonly<{ login: string; requestId?: string }>;

export function actorOf({ caller, requestId }: Pick<ApiRequest, "caller" | "requestId">): Actor {
  return { ...authorOf(caller), login: caller.login, requestId };
}

export function authorOf({ enterpriseId, userId }: Caller): ChangeAuthor {
  return { enterpriseId, userId };
}

/** The entry about a change of a webhook. */
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
