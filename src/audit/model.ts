import type { AuditChanges, AuditEntry } from "../contracts/audit.ts";

/** An entry as it is read. */
export type StoredEntry = Readonly<{
  id: number;
  userId: number | null;
  login: string;
  action: AuditEntry["action"];
  object: AuditEntry["object"];
  objectId: string;
  changes: AuditChanges;
  requestId: string | null;
  created: Date;
}>;

export const auditActions: readonly AuditEntry["action"][] = [
  "create",
  "update",
  "delete",
  "rotate",
  "revoke",
  "reset",
  "test",
];

export const auditObjects: readonly AuditEntry["object"][] = [
  "user",
  "enterprise",
  "service",
  "group",
  "domain",
  "button",
  "template",
  "survey",
  "webhook",
  "alert",
  "api_token",
];

export type AuditFilter = Readonly<{
  object: AuditEntry["object"] | undefined;
  userId: number | undefined;
  since: Date | undefined;
  /** Not included. */
  until: Date | undefined;
}>;
